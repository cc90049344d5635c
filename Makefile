# make run    install, set up and serve on http://127.0.0.1:$(PORT)
# make test   install the test dependencies and run the whole suite
# make lint   style, types, import contracts, migrations
# make bench  every figure of docs/performance.md
# make assets build the browser bundle again (needs node and npm)

PYTHON ?= python3
PORT ?= 8000
VENV := .venv
BIN := $(VENV)/bin
export PORT

.PHONY: run test lint bench assets requirements messages

$(VENV)/base.stamp: requirements/base.txt
	@echo "Installing the pinned packages into $(VENV) …"
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "Python 3.11 or newer is needed, this is $$($(PYTHON) --version)"; exit 1; }
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements/base.txt
	@touch $@

$(VENV)/test.stamp: requirements/test.txt $(VENV)/base.stamp
	@$(BIN)/pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements/test.txt
	@touch $@

$(VENV)/bench.stamp: requirements/bench.txt $(VENV)/test.stamp
	@$(BIN)/pip install --quiet --quiet --disable-pip-version-check --require-hashes -r requirements/bench.txt
	@touch $@

run: $(VENV)/base.stamp
	@$(BIN)/python manage.py quickstart
	@exec $(BIN)/python manage.py serve --with-worker

test: $(VENV)/test.stamp
	@sh tests/install_peers.sh
	$(BIN)/python -m pytest -n 2 --dist loadfile $(ARGS)

lint: $(VENV)/test.stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run

bench: $(VENV)/bench.stamp
	@sh tests/install_peers.sh
	@npm rebuild better-sqlite3 >/dev/null 2>&1 || echo "better-sqlite3 not built: bench/http.py leaves Fastify out"
	$(BIN)/python -m bench $(ARGS)

assets:
	npm ci
	npm run assets

requirements:
	cd requirements && for name in base test bench embed tokenizers; do \
	  ../$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --no-header --no-annotate $$name.in -o $$name.txt || exit 1; done
