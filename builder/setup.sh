#!/bin/sh
# Makes .venv from a lock file, by uv where there is one, else by pip:  setup.sh LOCK MARK
# Whatever the system lacks is named with the command that brings it.
set -eu
lock=$1
mark=$2

say() { printf '%s\n' "$*" >&2; }

python=${PYTHON:-}
if [ -z "$python" ]; then
  for name in python3.13 python3.12 python3.11 python3; do
    if command -v "$name" >/dev/null 2>&1 &&
      "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      python=$name
      break
    fi
  done
fi
if [ -z "$python" ]; then
  say "citewiki needs Python 3.11 or newer. It comes with:"
  say "  Debian, Ubuntu:  sudo apt install python3 python3-venv"
  say "  macOS:           brew install python@3.12"
  exit 1
fi

if command -v uv >/dev/null 2>&1; then
  uv venv --quiet --allow-existing --python "$python" .venv
  uv pip install --quiet --python .venv/bin/python --require-hashes --compile-bytecode -r "$lock"
  uv pip install --quiet --python .venv/bin/python --no-deps --no-build-isolation -e .
else
  if ! "$python" -c 'import ensurepip, venv' 2>/dev/null; then
    say "$python has no venv module. It comes with:"
    say "  Debian, Ubuntu:  sudo apt install python3-venv"
    say "  macOS:           brew install python@3.12"
    exit 1
  fi
  [ -x .venv/bin/python ] || "$python" -m venv .venv
  pip=".venv/bin/python -m pip --disable-pip-version-check --quiet"
  if ! $pip install --require-hashes -r "$lock"; then
    say "A package could not be installed. Where the lines above speak of a missing compiler:"
    say "  Debian, Ubuntu:  sudo apt install build-essential python3-dev"
    say "  macOS:           xcode-select --install"
    exit 1
  fi
  $pip install --no-deps --no-build-isolation -e .
fi

if ! command -v dot >/dev/null 2>&1; then
  say "note: graphviz is not installed; graph pictures are drawn without it (sudo apt install graphviz)"
fi
touch ".venv/$mark"
say "ready: .venv/bin/citewiki"
