#!/bin/sh
# Install what pip and npm cannot give, on Debian and its relatives, only if it is missing:
#   sh tools/install_debian.sh python     venv and headers for the Python that runs the build
#   sh tools/install_debian.sh browser    Chromium, its headless shell, and a font with Chinese letters for screenshots
#   sh tools/install_debian.sh clang      clang with libFuzzer and the sanitizers
#   sh tools/install_debian.sh postgres   PostgreSQL, for the tests of the hub, which start a server of their own
# Elsewhere it says what is missing and fails.
set -eu

updated=

install() {
    if ! command -v apt-get >/dev/null 2>&1; then
        echo "error: missing: $*" >&2
        echo "hint: this machine has no apt-get; install the like of these packages by hand" >&2
        exit 1
    fi
    as_root=
    if [ "$(id -u)" -ne 0 ]; then as_root=sudo; fi
    if [ -z "$updated" ]; then
        $as_root apt-get update -qq
        updated=yes
    fi
    echo "installing $* ..." >&2
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@" >/dev/null
}

python() {
    python=${PYTHON:-python3}
    "$python" -c 'import ensurepip, venv' 2>/dev/null || install python3-venv
    "$python" -c 'import os, sys, sysconfig; sys.exit(not os.path.exists(sysconfig.get_path("include") + "/Python.h"))' ||
        install python3-dev
}

browser() {
    # most tests use the headless shell, which has no toolbar to draw and takes half the time; some need the whole browser
    if [ -z "${LIGHTBOARD_CHROMIUM:-}" ]; then
        command -v chromium >/dev/null 2>&1 || install chromium
        command -v chromium-headless-shell >/dev/null 2>&1 || (install chromium-headless-shell) ||
            echo "tests go on with chromium, more slowly" >&2
    fi
    if ! { command -v fc-list >/dev/null 2>&1 && fc-list :lang=zh-cn family | grep -q .; }; then
        install fontconfig fonts-noto-cjk
    fi
}

can_fuzz() {
    command -v clang++ >/dev/null 2>&1 || return 1
    scratch=$(mktemp -d)
    echo 'extern "C" int LLVMFuzzerTestOneInput(const unsigned char*, unsigned long) { return 0; }' >"$scratch/probe.cpp"
    clang++ -fsanitize=fuzzer,address,undefined "$scratch/probe.cpp" -o "$scratch/probe" >/dev/null 2>&1 && works=0 || works=1
    rm -rf "$scratch"
    return $works
}

clang() {
    if can_fuzz; then return; fi
    command -v clang++ >/dev/null 2>&1 || install clang
    if can_fuzz; then return; fi
    # The sanitizers are a package of their own, named for clang's version; llvm has the symbolizer.
    major=$(command clang++ -dumpversion | cut -d. -f1)
    install "libclang-rt-$major-dev" llvm
    can_fuzz || {
        echo "error: clang++ cannot link a fuzz target" >&2
        exit 1
    }
}

postgres() {
    # Debian keeps the programs of the server out of the path
    for program in /usr/lib/postgresql/*/bin/initdb; do
        if [ -x "$program" ]; then return; fi
    done
    command -v initdb >/dev/null 2>&1 || install postgresql
}

for what in "$@"; do
    case $what in
        python | browser | clang | postgres) $what ;;
        *)
            echo "usage: $0 [python] [browser] [clang] [postgres]" >&2
            exit 2
            ;;
    esac
done
