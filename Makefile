# Two commands do everything: `make demo` and `make test`. Each sets up what it needs, once.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMP := $(VENV)/.installed

.PHONY: demo test check bench docs clean help

help:  ## what there is
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/'

$(STAMP): pyproject.toml src/paraphrast/_version.py
	@echo "Setting up $(VENV): paraphrast and what it needs (once)"
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable '.[dev]'
	@touch $@

demo: $(STAMP)  ## build the default model (first time) and rewrite five sentences
	@$(BIN)/paraphrast demo

test: check  ## every gate: ruff, mypy, pytest
	@echo "Running the tests"
	@$(BIN)/python -m pytest

check: $(STAMP)  ## ruff and mypy
	@echo "Checking style and types"
	@$(BIN)/ruff check src tests bench scripts
	@$(BIN)/ruff format --check src tests bench scripts
	@$(BIN)/mypy

bench: $(STAMP)  ## figures as JSON; DATA=folder with the corpora (see bench/README.md)
	@$(BIN)/python bench/run.py $(if $(DATA),--data $(DATA))

docs: $(STAMP)  ## write docs/cli.md and docs/api.md anew
	@$(BIN)/python scripts/docs.py

clean:  ## remove the virtual environment and caches
	rm -rf $(VENV) .mypy_cache .pytest_cache .ruff_cache .hypothesis
