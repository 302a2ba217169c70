# One virtual environment, .venv; stamps keep repeated runs quick. Only python3, venv and pip are needed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
SOURCES := $(shell find verifier checkers drafters index api -name '*.py')
PIP := -m pip --disable-pip-version-check --quiet --quiet

.PHONY: help demo test lint types rules fuzz bench check clean

help:  ## what there is
	@sed -n 's/^\([a-z]*\):.*##/\1:/p' $(MAKEFILE_LIST)

$(VENV)/bin/python:
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.base: pyproject.toml | $(VENV)/bin/python
	@echo "Installing the base (solvers included) into $(VENV) ..."
	@$(BIN)/python $(PIP) install --editable .
	@touch $@

$(VENV)/.dev: pyproject.toml | $(VENV)/bin/python
	@echo "Installing the tools for developers into $(VENV) ..."
	@$(BIN)/python $(PIP) install --editable '.[dev]'
	@touch $@ $(VENV)/.base

# The second, clean environment of the demo: a built wheel with the base install only.
.venv-recheck/.base: pyproject.toml README.md $(SOURCES)
	@echo "Installing the wheel into a second, clean environment ..."
	@$(PYTHON) -m venv --clear .venv-recheck
	@.venv-recheck/bin/python $(PIP) install .
	@touch $@

demo: $(VENV)/.base  ## verify the examples, twice, and re-check a receipt elsewhere
	@sh docs/examples/demo.sh $(BIN)/verifier

.PHONY: recheck-environment
recheck-environment: .venv-recheck/.base

test: $(VENV)/.dev  ## the whole suite
	$(BIN)/python -m pytest -n 2 $(ARGS)

lint: $(VENV)/.dev  ## ruff
	$(BIN)/ruff check .

types: $(VENV)/.dev  ## mypy --strict, tests included
	$(BIN)/mypy

rules: $(VENV)/.dev  ## the arrows between the packages
	$(BIN)/lint-imports --no-cache

check: lint types rules test  ## everything that has to pass

fuzz: $(VENV)/.dev  ## the long property and adversarial runs
	VERIFIER_LONG=1 $(BIN)/python -m pytest -n 2 --timeout=7200 tests/property tests/adversarial $(ARGS)

# CrossHair pins its solver, so it gets an environment of its own.
.venv-bench/.crosshair:
	@$(PYTHON) -m venv --clear .venv-bench
	@.venv-bench/bin/python $(PIP) install crosshair-tool icontract
	@touch $@

bench: $(VENV)/.dev .venv-bench/.crosshair  ## the benchmarks, CrossHair's beside ours; prints their tables
	VERIFIER_CROSSHAIR=.venv-bench/bin/crosshair $(BIN)/python -m tests.bench

clean:  ## remove what was installed and cached here
	rm -rf $(VENV) .venv-recheck .venv-bench build dist .mypy_cache .ruff_cache .pytest_cache .hypothesis
