# Two commands do everything: `make demo` and `make test`. Each installs what it needs, once.
PYTHON ?= python3
# In a source tree that cannot be written, the virtual environment is in the user's cache folder.
VENV := $(if $(shell test -w . && echo yes),.venv,$(or $(XDG_CACHE_HOME),$(HOME)/.cache)/paraphrast/venv)
BIN := $(VENV)/bin
# The demo needs few packages; the tests need all extras and tools.
STAMP := $(VENV)/.installed
DEV := $(VENV)/.installed-dev

.PHONY: demo test fuzz check bench docs site supply clean help

help:  ## list the targets
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(STAMP): pyproject.toml src/paraphrast/_version.py
	@echo "Setting up $(VENV): paraphrast and what it needs (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(DEV): $(STAMP)
	@echo "Adding the extras and the tools that tests need (once)"
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP)  ## rewrite five sentences with the embedded model, and explain one edit
	@$(BIN)/paraphrast demo

# Coverage is cheap from Python 3.12 on (sys.monitoring) and on by default there. On 3.11 it makes tests about half
# as slow again: COVERAGE=1 turns it on.
COVERAGE ?= $(shell $(PYTHON) -c 'import sys; print(int(sys.version_info >= (3, 12)))')
COVERAGE_CORE := $(shell $(PYTHON) -c 'import sys; print("sysmon" if sys.version_info >= (3, 12) else "ctrace")')
COVER := $(if $(filter 1,$(COVERAGE)),--cov=paraphrast --cov-report=)
test: check  ## every check: ruff, mypy, pytest, coverage per room (COVERAGE=1 or 0)
	@echo "Running the tests"
	@COVERAGE_CORE=$(COVERAGE_CORE) $(BIN)/python -m pytest -n auto --dist loadfile $(COVER)
	@$(if $(COVER),$(BIN)/python scripts/coverage_by_room.py,echo "For the coverage per room: make test COVERAGE=1")

ROUNDS ?= 10
# Readers of files: SECONDS for each target, with Atheris if it is installed (pip install -e '.[fuzz]').
SECONDS ?= 60
fuzz: $(DEV)  ## fuzz the readers, SECONDS each (default 60), then property tests on new examples, ROUNDS times (default 10)
	@$(BIN)/python tests/fuzz/run.py --seconds $(SECONDS) --seed $$(date +%s) --findings .fuzz
	@for round in $$(seq $(ROUNDS)); do \
	    echo "Round $$round of $(ROUNDS)"; \
	    PARAPHRAST_HYPOTHESIS=fuzz $(BIN)/python -m pytest -n auto -m hypothesis || exit 1; \
	done

# Tests and measurements may leave functions without types; where they have types, the types must be right.
LENIENT := --explicit-package-bases --allow-untyped-defs --allow-incomplete-defs --allow-untyped-calls \
	--allow-untyped-decorators --no-check-untyped-defs --allow-any-generics --no-warn-return-any --no-strict-equality \
	--implicit-reexport --no-warn-unused-ignores
check: $(DEV)  ## ruff and mypy
	@echo "Checking style and types"
	@$(BIN)/ruff check src tests bench scripts examples
	@$(BIN)/ruff format --check src tests bench scripts examples
	@$(BIN)/mypy
	@MYPYPATH=tests $(BIN)/mypy --cache-dir .mypy_cache/tests $(LENIENT) tests
	@MYPYPATH=bench $(BIN)/mypy --cache-dir .mypy_cache/bench $(LENIENT) bench scripts examples

bench: $(DEV)  ## figures as JSON; DATA=folder with the corpora (see bench/README.md)
	@$(BIN)/python bench/run.py $(if $(DATA),--data $(DATA))

supply: $(DEV)  ## regenerate constraints.txt, sbom.cdx.json and docs/licences.md
	@$(BIN)/python scripts/supply.py

docs: $(DEV)  ## regenerate docs/cli.md, docs/api.md, docs/options.md, tables of figures and outputs of examples
	@$(BIN)/python scripts/docs.py
	@$(BIN)/python scripts/examples.py

site: $(DEV)  ## build the site into site/; every warning is an error
	@NO_MKDOCS_2_WARNING=1 $(BIN)/python -m mkdocs build --quiet --strict
	@echo "Open site/index.html"

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) site .coverage .mypy_cache .pytest_cache .ruff_cache .hypothesis
