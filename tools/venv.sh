#!/bin/sh
# Make the virtual environment and install what the lock file pins, then the project itself.
#
#   sh tools/venv.sh FOLDER [PYTHON]
#
# Without PYTHON the first of python3, python3.13, python3.12 and python3.11 that is of a
# supported version is taken. Debian ships python3 without pip and without ensurepip; pip then
# comes from the system's pip or from Debian's package of it, unpacked beside the environment.
set -eu

venv=$1
asked=${2:-}
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
supported() {
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' \
        >/dev/null 2>&1
}
version() { "$1" -c 'import sys; print("%d.%d" % sys.version_info[:2])'; }

# --- the interpreter
python=
if [ -n "$asked" ]; then
    if ! command -v "$asked" >/dev/null 2>&1; then
        say "PYTHON=$asked: no such command; name a Python of version 3.11, 3.12 or 3.13."
        exit 2
    elif ! supported "$asked"; then
        say "PYTHON=$asked: not a working Python of version 3.11, 3.12 or 3.13."
        exit 2
    fi
    python=$asked
else
    for candidate in python3 python3.13 python3.12 python3.11; do
        if supported "$candidate"; then
            python=$candidate
            break
        fi
    done
    if [ -z "$python" ]; then
        say "No Python of version 3.11, 3.12 or 3.13 was found; install one (Debian: apt-get install python3-venv) or say make PYTHON=..."
        exit 2
    fi
fi

# --- the environment: kept unless it is broken or of another version than was asked for
if [ -e "$venv" ]; then
    if ! "$venv/bin/python" -m pip --version >/dev/null 2>&1 || ! supported "$venv/bin/python" \
        || { [ -n "$asked" ] && [ "$(version "$venv/bin/python")" != "$(version "$python")" ]; }
    then
        if [ ! -e "$venv/pyvenv.cfg" ] && [ -n "$(ls -A "$venv")" ]; then
            say "$venv: is no virtual environment; move it away or say make VENV=..."
            exit 2
        fi
        rm -rf "$venv"
    fi
fi

# --- pip: from ensurepip, or the system's, or Debian's package of it without installing that
debian_pip() {
    command -v apt-get >/dev/null 2>&1 && command -v dpkg-deb >/dev/null 2>&1 || return 1
    mkdir -p "$1" || return 1
    (
        cd "$1" || exit 1
        apt-get -qq download python3-pip-whl >/dev/null 2>&1 \
            || { apt-get -qq update && apt-get -qq download python3-pip-whl; } >/dev/null 2>&1 \
            || exit 1
        dpkg-deb -x python3-pip-whl_*.deb .
    )
}

pip="$venv/bin/python -m pip"
if [ ! -e "$venv/bin/python" ]; then
    say "Making $venv with Python $(version "$python")"
    if "$python" -c 'import ensurepip; ensurepip.version()' >/dev/null 2>&1; then
        "$python" -m venv "$venv"
    else
        "$python" -m venv --without-pip "$venv"
        if "$python" -m pip --python "$venv/bin/python" --version >/dev/null 2>&1; then
            pip="$python -m pip --python $venv/bin/python"
        elif debian_pip "$venv/debian-pip"; then
            pip="$venv/bin/python $(echo "$venv"/debian-pip/usr/share/python-wheels/pip-*.whl)/pip"
        else
            rm -rf "$venv"
            say "$python comes without ensurepip, so it cannot make an environment with pip; install that first (Debian: apt-get install python3-venv)."
            exit 2
        fi
    fi
fi

# --- what the lock pins (pip and the build tools are among it), then the project
say "Installing the pinned packages into $venv (a minute or two the first time)"
# Twice quiet: pip then tells errors alone and none of its warnings, a line a package on some
# machines.
$pip --disable-pip-version-check install --quiet --quiet --require-hashes -r requirements.lock
PYTHONWARNINGS=ignore "$venv/bin/python" -m pip --disable-pip-version-check install --quiet \
    --quiet --no-deps --no-build-isolation --editable .
rm -rf "$venv/debian-pip"
