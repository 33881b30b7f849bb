# make demo, make test and the rest set up all that they need; see `make help`.
#
#   PYTHON=python3.12   the interpreter to use (3.11 to 3.13); else the first that fits
#   VENV=.venv          where the virtual environment lies
#   JOBS=1              how many processes run the tests (else one for each processor)

SHELL := /bin/sh
.DELETE_ON_ERROR:

VENV ?= .venv
PYTHON ?=
JOBS ?= auto
RUN := $(VENV)/bin
# One stamp for whichever Python was found and, if one was asked for, one for that.
READY := $(VENV)/.ready$(if $(PYTHON),-$(subst /,-,$(PYTHON)))
TRAINING := $(VENV)/.ready-train

OUT := out
CASES := $(OUT)/audit.jsonl

.PHONY: help
help: ## show what can be made
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/make \1\t\2/p' Makefile | expand -t 16

$(READY): requirements.lock pyproject.toml tools/venv.sh
	@sh tools/venv.sh "$(VENV)" "$(PYTHON)"
	@touch "$(VENV)/.ready" "$@"

.PHONY: setup
setup: $(READY) ## make the virtual environment with all that is pinned

$(TRAINING): $(READY) requirements-train.txt tools/train_env.py
	@$(RUN)/python tools/train_env.py
	@touch "$@"

.PHONY: train-env
train-env: $(TRAINING) ## add PyTorch and TRL to the environment (about a gigabyte)

.PHONY: test-train
test-train: $(TRAINING) ## run the tests of training
	$(RUN)/python -m pytest -q tests/exports/test_trainers.py $(ARGS)

.PHONY: demo
demo: $(READY) ## make certified cases and a small dataset in out/, check them, show one case
	@mkdir -p $(OUT)
	$(RUN)/casegen generate audit -n 1000 --seed 7 -o $(CASES)
	$(RUN)/casegen validate $(CASES)
	$(RUN)/casegen stats $(CASES)
	$(RUN)/casegen show "$(CASES)#0"
	$(RUN)/casegen export $(OUT)/dataset --cases 200 --seed 7 --overwrite

.PHONY: test
test: $(READY) ## run the tests, in as many processes as there are processors (JOBS=1: in one)
	$(RUN)/python -m pytest -q -n $(JOBS) --maxprocesses 8 --dist loadfile $(ARGS)

.PHONY: coverage
coverage: $(READY) ## run the tests and report the lines that none of them reached
	$(RUN)/python -m coverage run -m pytest -q $(ARGS)
	$(RUN)/python -m coverage report

.PHONY: lint
lint: $(READY) ## check style
	$(RUN)/ruff check .
	$(RUN)/ruff format --check .

.PHONY: format
format: $(READY) ## mend style where that is safe
	$(RUN)/ruff check --fix .
	$(RUN)/ruff format .

.PHONY: type
type: $(READY) ## check types over the whole package
	$(RUN)/python tools/typecheck.py

.PHONY: bench
bench: $(READY) ## measure speed and memory beside their yardsticks
	$(RUN)/python tools/bench.py $(ARGS)
	$(RUN)/python tools/bench_serve.py
	$(RUN)/python tools/bench_rollout.py
	$(RUN)/python tools/bench_export.py

.PHONY: bench-serve
bench-serve: $(READY) ## measure the server beside OpenEnv's own template
	$(RUN)/python tools/bench_serve.py $(ARGS)

.PHONY: readme
readme: $(READY) ## write what the commands print into README.md
	$(RUN)/python tools/readme.py

.PHONY: lock
lock: $(READY) ## resolve the dependencies anew (make lock ARGS=--upgrade for the newest)
	python3 tools/lock.py $(ARGS)
	$(RUN)/python tools/space_requirements.py

.PHONY: clean
clean: ## remove the environment, caches, builds and out/
	rm -rf "$(VENV)" $(OUT) build dist casegen.egg-info .pytest_cache .mypy_cache .ruff_cache \
		.hypothesis .coverage htmlcov
	find . -name __pycache__ -type d -prune -exec rm -rf {} +
