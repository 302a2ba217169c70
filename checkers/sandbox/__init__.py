"""The only place where a stranger's Python runs: a fenced child that the parent judges.

`service` is the parent's side; `zygote`, `harness`, `search`, `fences`, `landlock`, `seccomp`, `shims` and `excerpt`
run on the child's side, in a bare interpreter that cannot import our packages; `frames` serves both.
"""

from checkers.sandbox.service import Sandbox
from checkers.sandbox.trial import Hunt, Level, Observation, Trial

__all__ = ["Hunt", "Level", "Observation", "Sandbox", "Trial"]
