#!/bin/sh
# The tour behind `make demo`: verify the examples, verify them again from the cache, re-check a receipt elsewhere.
set -u

verifier=$1
examples=$(dirname "$0")
folder=$(mktemp -d)
export VERIFIER_STORE="$folder/store" VERIFIER_KEY_FILE="$folder/key"
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

say() { printf '\n\033[1m%s\033[0m\n' "$1"; }
[ -t 1 ] || say() { printf '\n== %s\n' "$1"; }

# Some examples are meant to be refuted or undecided: exit codes 0 to 3 are verdicts, 4 and 5 are failures.
verdicts() { "$@"; code=$?; [ "$code" -le 3 ] || { echo "demo: '$*' ended with exit code $code" >&2; exit 1; }; }

say "1. Verify the examples (a fresh store, so every proof is found now)"
verdicts "$verifier" verify "$examples" --receipt-dir "$folder/receipts"

say "2. One counterexample as a runnable pytest case"
verdicts "$verifier" explain "$examples/arithmetic.py::absolute" --counterexample

say "3. The same claims again: nothing has changed, so the cache answers"
verdicts "$verifier" verify "$examples"

say "4. Re-check one receipt in a second environment that has the base install only, and no store"
make --no-print-directory recheck-environment || exit 1
.venv-recheck/bin/verifier recheck "$folder/receipts/"*sum_to*.json || exit 1

say "What to try next"
cat <<'TEXT'
  .venv/bin/verifier explain docs/examples/arithmetic.py::sum_to   the invariants that were found, beside the code
  .venv/bin/verifier verify YOUR_FILE.py                           every function with an icontract contract
  .venv/bin/verifier verify --safety YOUR_FILE.py                  "raises nothing, and ends": no contract needed
  .venv/bin/verifier doctor                                        what this machine has, and what it lacks
  make test                                                        the whole test suite
TEXT
