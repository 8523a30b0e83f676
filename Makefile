# rasputitsa: `make play` to play, `make test` to check everything. Python 3.11+ and make are enough.

UV := sh tools/uv.sh
RUN := $(UV) run --no-sync
ARGS ?=

SYNC_FAILED = { echo "The Python packages could not be installed: see the lines above. If they tell of the network, check it and run this again." >&2; exit 1; }

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help play test lint audit fuzz format setup setup-play client client-check browser map data-version corpus docs lowest mutants bench load compiled reference wheel wheel-check clean

help: ## list what make can do here
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

play: setup-play ## set everything up and open the game in a browser
	@$(RUN) python -m tools.client build
	@$(RUN) rasputitsa play $(ARGS)

# Tests that start no server and no browser: they keep every core busy without disturbing each other. Those that do
# mostly wait for one another's processes, so two at a time use two cores well, and more would starve each other. Those
# with a browser come last, in a process of their own: Playwright keeps an event loop in it that lets no other begin, and
# a browser with the program it shows keeps two cores busy.
ALONE = tests/conformance tests/property tests/replay tests/unit
BROWSER = tests/e2e

# What could not be checked since the network is wanting (exit code 3) is named once more at the end, and kept here.
UNCHECKED = build/unchecked
unless_unchecked = { [ $$? -eq 3 ] && echo "$(1)" >> $(UNCHECKED); }

test: setup browser client client-check lint docs wheel-check ## set everything up and run every check
	@mkdir -p $(dir $(UNCHECKED)) && rm -f $(UNCHECKED)
	@$(RUN) python -m tools.audit || $(call unless_unchecked,whether packages have known vulnerabilities)
	@$(RUN) python -m tools.lowest --install || $(call unless_unchecked,whether the lowest versions of packages will do)
	@echo "Running the tests ..."
	@$(if $(ARGS),$(RUN) pytest $(ARGS),$(RUN) pytest -n auto --dist loadfile $(ALONE) && \
		$(RUN) pytest -n 2 --dist loadfile $(addprefix --ignore=,$(ALONE) $(BROWSER)) && \
		$(RUN) pytest $(BROWSER))
	@echo "Fuzzing for a minute ..."
	@$(RUN) python -m tools.fuzz --seconds 60
	@if [ -e $(UNCHECKED) ]; then sed 's/^/NOT CHECKED, for want of the network: /' $(UNCHECKED); else echo "All is checked."; fi

lint: setup ## ruff, mypy and the one-way doors between packages
	@echo "Checking the Python code ..."
	@$(RUN) ruff check
	@$(RUN) ruff format --check
	@$(RUN) mypy
	@$(RUN) lint-imports

audit: setup ## look for known dangers in the code and in the packages it uses
	@$(RUN) python -m tools.audit

fuzz: setup ## feed everything that reads from outside with anything; ARGS="--seconds 3600" for an hour
	@$(RUN) python -m tools.fuzz $(ARGS)

format: setup ## put the code of both languages in the common form
	@$(RUN) ruff check --fix
	@$(RUN) ruff format
	@$(RUN) python -m tools.client format

client: setup ## build the browser client, when its sources have changed
	@$(RUN) python -m tools.client build

client-check: setup ## check form, style and types of the browser client, and test it
	@$(RUN) python -m tools.client check

browser: setup ## find (or install) the Chromium that the browser tests drive
	@$(RUN) python -m tools.browser

map: setup ## rebuild the map data from real geography
	@$(RUN) python -m tools.mapmaker $(ARGS)

data-version: setup ## register changed game data, so that matches under way keep theirs
	@$(RUN) python -m tools.data_versions $(ARGS)

corpus: setup ## record matches of this version, against which later ones are tested
	@$(RUN) python -m tools.corpus $(ARGS)

lowest: setup ## run the tests with the lowest versions of all packages
	@$(RUN) python -m tools.lowest $(ARGS)

mutants: setup ## change the rules one word at a time and see whether the tests notice; ARGS="wir --sample 100"
	@$(RUN) python -m tools.mutants $(ARGS)

docs: setup ## make the site of the documents, and check every link in it
	@$(RUN) python -m tools.site

bench: setup ## measure the engine, from its sources and compiled, compared with others
	@$(RUN) python -m bench --compile $(ARGS)

load: setup ## measure the server under load: actions a second, times of answers, memory; nothing may be lost
	@$(RUN) python -m bench.load $(ARGS)

compiled: setup ## compile the engine for long runs; prints the folder to put on PYTHONPATH
	@$(RUN) python -m tools.compiled $(ARGS)

reference: setup ## keep the planner of another commit to measure against; prints its name for a ladder; ARGS="COMMIT PLAYER"
	@$(RUN) python -m tools.reference $(ARGS)

wheel: setup client ## build the installable package into dist/
	@$(UV) build --wheel

wheel-check: setup client ## install the package into an empty environment and try it
	@$(RUN) python -m tools.check_wheel

setup:
	@$(UV) --version > /dev/null
	@echo "Setting up the Python packages ..."
	@$(UV) sync --locked --all-groups --no-group learn || $(SYNC_FAILED)

setup-play:
	@$(UV) --version > /dev/null
	@echo "Setting up the Python packages ..."
	@$(UV) sync --locked --inexact --no-default-groups --group client || $(SYNC_FAILED)

clean: ## remove everything that was built or installed here
	rm -rf .venv .uv build dist web/node_modules src/rasputitsa/server/static
	rm -rf .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache test-results
	find src tests tools bench examples -name __pycache__ -type d -prune -exec rm -rf {} +
