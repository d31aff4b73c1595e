#!/bin/sh
# Print the path of a Python 3.11 that can make a virtual environment, or one line that says what
# is missing. The Makefile tells the two apart by the leading slash.
#
# Every python3.11 and python3 on PATH is tried by running it: the first of them may be a pyenv
# shim that fails, or a python3 of another version. $1, when not empty, is the only candidate.
set -u

# The interpreter behind $1, if $1 runs and is Python 3.11. The base is asked for because $1 may
# belong to the very .venv that is about to be replaced.
resolve() {
    "$1" -c 'import os, sys
if sys.version_info[:2] != (3, 11):
    sys.exit(1)
print(os.path.abspath(getattr(sys, "_base_executable", "") or sys.executable))' \
        </dev/null 2>/dev/null
}

can_make_venv() {
    "$1" -c 'import venv' </dev/null >/dev/null 2>&1 \
        && "$1" -m ensurepip --version </dev/null >/dev/null 2>&1
}

candidates() {
    if [ -n "$1" ]; then
        command -v "$1" || printf '%s\n' "$1"
        return
    fi
    for name in python3.11 python3; do
        printf '%s\n' "$PATH" | tr ':' '\n' | while IFS= read -r folder; do
            [ -x "$folder/$name" ] && printf '%s\n' "$folder/$name"
        done
    done
}

asked=${1:-}
without_venv=
while IFS= read -r candidate; do
    [ -n "$candidate" ] || continue
    python=$(resolve "$candidate") || continue
    if can_make_venv "$python"; then
        printf '%s\n' "$python"
        exit 0
    fi
    without_venv=${without_venv:-$python}
done <<END
$(candidates "$asked")
END

if [ -n "$without_venv" ]; then
    echo "$without_venv cannot make virtual environments (no venv or ensurepip);" \
        "install them, for example: apt-get install python3.11-venv" | sed 's|^/|Python at /|'
elif [ -n "$asked" ]; then
    echo "PYTHON=$asked is not a working Python 3.11"
else
    echo "no working Python 3.11 on PATH; install python3.11, or name one: make PYTHON=/path/to/python3.11"
fi
exit 2
