#!/bin/sh
# Runs uv, the Python package manager, with the arguments given. Where the machine has none, a pinned
# uv is installed once into .uv/ (git-ignored), so that Python and make are all a fresh machine needs.
set -eu

PINNED=0.13.8
OLDEST_MINOR=8

root=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
own="$root/.uv/bin/uv"

say() { printf '%s\n' "$*" >&2; }

recent_enough() {
    version=$("$1" --version 2>/dev/null) || return 1
    version=${version#uv }
    major=${version%%.*}
    rest=${version#*.}
    minor=${rest%%.*}
    case "$major$minor" in '' | *[!0-9]*) return 1 ;; esac
    [ "$major" -gt 0 ] || [ "$minor" -ge "$OLDEST_MINOR" ]
}

python_3_11_or_newer() {
    for name in python3 python3.14 python3.13 python3.12 python3.11 python; do
        if "$name" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
            command -v "$name"
            return 0
        fi
    done
    return 1
}

install_own_uv() {
    if ! python=$(python_3_11_or_newer); then
        say "No Python 3.11 or newer was found on this machine. Install one (python.org, or your"
        say "system's package manager, e.g. 'apt-get install python3 python3-venv') and run this again."
        exit 1
    fi
    say "Installing uv $PINNED into .uv/ (once) ..."
    if ! log=$("$python" -m venv --clear "$root/.uv" 2>&1); then
        say "$log"
        say "$python cannot create a virtual environment. On Debian or Ubuntu its missing part is the"
        say "package python3-venv ('apt-get install python3-venv'). Install it and run this again."
        exit 1
    fi
    if ! "$root/.uv/bin/python" -m pip install --quiet --disable-pip-version-check "uv==$PINNED" >&2; then
        rm -rf "$root/.uv"
        say "uv could not be installed: the Python package index was not reached, or refused. Check the"
        say "network connection (and proxy, if any) and run this again."
        exit 1
    fi
}

# uv brings certificates of its own; where the system has some, use those, since a company's network may
# need them.
if [ -z "${SSL_CERT_FILE:-}" ] && [ -e /etc/ssl/certs/ca-certificates.crt ]; then
    UV_SYSTEM_CERTS=${UV_SYSTEM_CERTS:-true}
    export UV_SYSTEM_CERTS
fi

if recent_enough uv; then
    exec uv "$@"
fi
recent_enough "$own" || install_own_uv
exec "$own" "$@"
