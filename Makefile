# `make setup` prepares `.venv`, `make run` judges the published SDKs, `make test` runs every check and test, `make quick`
# the tests of a minute, `make site` a site of the results, `make fuzz` generated requests for a minute, `make mutants`
# mistakes in the reference, `make sdk-mutants` in an SDK. All prepare what they need.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
ACTIVATE := To put parity on your PATH: . $(BIN)/activate

.PHONY: setup run test quick tests bench check lint types published release-check site fuzz mutants mutants-changed sdk-mutants clean

setup: $(READY)
	@echo "$(ACTIVATE)"

run: $(READY)
	@$(BIN)/parity run; status=$$?; case $$status in 0|1|3) echo "$(ACTIVATE)";; *) exit $$status;; esac

# Three workers for two cores, because tests wait for a quarter of their time (measured on 2026-11-22).
WORKERS ?= 3

# The tests start hundreds of processes of Python. Without compiled modules each start needs a third more CPU.
tests quick: export PYTHONDONTWRITEBYTECODE =

# mypy uses one core for some seconds, so it runs beside the tests.
test: lint
	@$(MAKE) --no-print-directory --jobs 2 types tests

tests: $(READY)
	$(BIN)/pytest -n $(WORKERS) -q -rfEs

# The tests that build, install and wait for nothing.
quick: $(READY)
	$(BIN)/pytest -n 2 -q -rfE -m "not slow"

# Ratios of time and memory to floors that are measured in the same run; no test. BENCH='--only start --keep FILE'.
BENCH ?=
bench: $(READY)
	@$(BIN)/python -m benchmarks $(BENCH)

# The review of the SDKs, reports/published/review.md. SDKS='go=DIR python=DIR' judges working copies in place of releases.
# It writes nothing if an SDK did not run; WITHOUT=go accepts a review without the Go SDK.
WITHOUT ?=
SDKS ?=
published: $(READY)
	@$(BIN)/python tools/publish_review.py $(foreach name,$(WITHOUT),--without $(name)) $(foreach copy,$(SDKS),--sdk $(copy))

# The wheel and the sdist of the committed files, every verb of the installed wheel; publishes nothing. DIST=DIR keeps them.
DIST ?=
release-check: $(READY)
	@$(BIN)/python -m tools.release_check $(if $(DIST),--dist $(DIST))

# A static site of the records of `make published`, or of a run of all released SDKs if there are none.
SITE ?= reports/local/site
RECORDS ?= $(or $(wildcard reports/local/published/*.jsonl),reports/local/published/release.jsonl)
site: $(READY) $(RECORDS)
	$(BIN)/parity site $(SITE) $(RECORDS)

reports/local/published/release.jsonl: | $(READY)
	@$(BIN)/parity run --record $@; status=$$?; case $$status in 0|1|3) ;; *) exit $$status;; esac

# Generated requests for a minute: differences of the TypeScript SDK that nobody knows yet.
fuzz: $(READY)
	$(BIN)/parity fuzz --adapter ts --for 60s

# Mistakes in the reference, one at a time: do the cases notice each? MODULE=jeffs_brain/parser judges one module.
MODULE ?=
mutants: $(READY)
	@$(BIN)/python -m tools.mutation $(if $(MODULE),--module $(MODULE),--json reports/published/mutation.json)

# The mutants of the modules that differ from the commit BASE. Without this commit it does nothing.
BASE ?= origin/main
mutants-changed: $(READY)
	@modules=$$(git diff --name-only --diff-filter=AM $(BASE) -- 'reference_impl/*/*.py' ':!reference_impl/readings' 2>/dev/null); \
	[ -z "$$modules" ] || $(BIN)/python -m tools.mutation $$(printf -- '--module %s ' $$modules)

# Mistakes in a working copy of the Python SDK: which functions do the cases reach, and which mistakes do they notice?
SDK ?=
MAX ?= 250
SEED ?= 0
sdk-mutants: $(READY)
	@$(BIN)/python -m tools.sdk_mutants --adapter python --sdk $(or $(SDK),$(error Name the working copy: make sdk-mutants SDK=DIR)) --max $(MAX) --seed $(SEED)

check: lint types

lint: $(READY)
	$(BIN)/ruff check .
	@$(BIN)/ruff format --check . || { echo "To format the files: $(BIN)/ruff format ."; exit 1; }
	$(BIN)/codespell

types: $(READY)
	$(BIN)/mypy

$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and f"parity needs Python 3.11 or newer; $(PYTHON) is {sys.version.split()[0]}. Name another one: make PYTHON=python3.12 …")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --constraint constraints.txt --editable '.[dev]'
	@touch $@

clean:
	rm -rf $(VENV) reports .pytest_cache .mypy_cache .ruff_cache .hypothesis
