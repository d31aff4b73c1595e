# Sets up .venv and runs opperf's everyday commands in it. Needs python3.11, make and git.
#
# .venv/ready-<checksum>-<checksum> says that .venv is complete, for which folder, and for which
# pyproject.toml and constraints.txt. It is removed before an installation and written after it, so
# a set-up that was interrupted is never taken for a finished one: it is made anew, and so is one
# that was copied from another folder. When only the files changed, .venv is updated in place.

SHELL := /bin/sh
BIN := .venv/bin
PYTHON ?=
ARGS ?=
# An index of packages beside pip's own, such as PyTorch's of CPU builds: make venv TORCH_INDEX=URL
TORCH_INDEX ?=
HERE := .venv/ready-$(firstword $(shell pwd | cksum))
READY := $(HERE)-$(firstword $(shell cat pyproject.toml constraints.txt | cksum))
PIP := $(BIN)/python -m pip --disable-pip-version-check -qq

.PHONY: help venv run test test-avx2 test-installs lint bench docs format clean
help: ## list the targets
	@sed -n 's/^\([a-z0-9-]*\):[^#]*## /\1\t/p' Makefile | awk -F '\t' '{printf "make %-9s %s\n", $$1, $$2}'

# A .venv whose interpreter is gone (Python upgraded or removed) does not count.
ifneq ($(shell $(BIN)/python -c 'print("works")' 2>/dev/null),works)
.PHONY: $(READY)
FRESH := yes
else ifeq ($(wildcard $(HERE)-*),)
FRESH := yes
endif

$(READY):
ifeq ($(FRESH),yes)
	$(eval FOUND := $(shell sh scripts/find_python.sh '$(PYTHON)'))
	$(if $(filter /%,$(firstword $(FOUND))),,$(error $(FOUND)))
	@echo 'Setting up .venv with $(FOUND): some minutes and 2.1 GB with a CPU'
	@echo 'build of PyTorch, as TORCH_INDEX=URL may give; 4 GB more with the CUDA build of the usual registry.'
	@rm -rf .venv
	@'$(FOUND)' -m venv .venv
else
	@echo 'Updating .venv: pyproject.toml or constraints.txt changed.'
endif
	@rm -f .venv/ready-*
	@$(PIP) install -e '.[all,dev]' -c constraints.txt $(if $(TORCH_INDEX),--extra-index-url '$(TORCH_INDEX)')
	@touch $@

venv: $(READY) ## make .venv with everything installed
	@:

run: $(READY) ## a quick look at about 40 core operators, or benchmark_driver.py $(ARGS)
	@$(BIN)/python benchmark_driver.py $(or $(ARGS),--quick -k tag=core)

# Up to four processes: each loads both frameworks, 1 GB. In one: make test ARGS=-n0.
test: $(READY) ## run the tests: pytest $(ARGS)
	@$(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal $(ARGS)

# What depends on the processor: half precision, eight bits, and the frameworks' gaps.
AVX2 := DNNL_MAX_CPU_ISA=AVX2 ONEDNN_MAX_CPU_ISA=AVX2 ATEN_CPU_CAPABILITY=avx2 \
  OPENBLAS_CORETYPE=Haswell
AVX2_TESTS := (half_precision and small and not numpy) or Quantized or DenseRequantize or \
  each_limitation
test-avx2: $(READY) ## run those tests again that depend on the processor, with AVX2 at most
	@$(AVX2) $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist worksteal tests/contracts \
	  -k '$(AVX2_TESTS)' $(ARGS)

test-installs: $(READY) ## install each extra into an empty environment, from an index: half an hour
	@$(BIN)/python -m pytest -n0 tests/packaging -m installs $(ARGS)

lint: $(READY) ## check style, types, layers and the generated documentation
	@$(BIN)/python -m ruff check --quiet
	@$(BIN)/python -m ruff format --check --quiet
	@$(BIN)/python -m mypy
	@$(BIN)/lint-imports --no-logo
	@$(BIN)/python docs/generate.py --check

format: $(READY) ## let ruff format the code and mend what it can
	@$(BIN)/python -m ruff check --fix --quiet; $(BIN)/python -m ruff format --quiet

docs: $(READY) ## write the generated documentation, and the site of it all into build/site
	@$(BIN)/python docs/generate.py
	@$(BIN)/python docs/build_site.py build/site
	@echo 'The site: build/site/index.html'

bench: $(READY) ## measure opperf itself: pytest benchmarks/ $(ARGS)
	@$(BIN)/python -m pytest benchmarks/ --benchmark-enable --benchmark-only $(ARGS)

clean: ## remove .venv and every cache; results in runs/ stay
	@rm -rf .venv build dist *.egg-info .coverage .hypothesis .import_linter_cache \
	  .mypy_cache .pytest_cache .ruff_cache
	@find . -name __pycache__ -type d -prune -exec rm -rf {} +
