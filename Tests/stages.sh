# shellcheck shell=bash disable=SC2154
# The stages of `./bootstrap test`, which sources this file: `binary`, `root` and more are of there.
# Tests/README.md says what each stage proves.

readonly tools=.build-tools/venv
readonly browser_tools=.build-tools/browser
readonly promtool=.build-tools/promtool
readonly nginx=.build-tools/nginx
readonly haproxy=.build-tools/haproxy
readonly postgresql=.build-tools/postgresql
readonly test_needs=(apache2-bin ca-certificates curl libpq5 lintian openssl pebble python3 python3-venv systemd)

# The times of all runs stay here, a line for each stage; logs are of the last run.
readonly kept=.build/stages
readonly times=$kept/times.tsv

run_tests() {
    local thorough=false
    if [ "${1:-}" = --thorough ]; then thorough=true && shift; fi
    [ $# -eq 0 ] || {
        usage >&2
        exit 64
    }
    trap end_stages EXIT
    prepare_build
    install "${test_needs[@]}"
    mkdir -p $kept
    if $thorough; then tested=$binary; fi
    test_quickly
    if $thorough; then test_thoroughly; fi
    printf '\n== summary\n%s\n' "$(passed_so_far)"
    printf 'stages: %d passed, 0 failed, %d s; all times are in %s\n' \
        ${#stages_passed[@]} $SECONDS $times
}

# A build of its own, in which all but the tests is optimized: tests and scripts take half of the time, and
# `swift build` and `swift test` go on with theirs. Nobody debugs it, and nobody continues it file by file,
# for which the compiler would read each room and each test three times. With several threads it writes an
# object for each file, which SwiftPM expects.
readonly built=.build/tested/debug
build_tested() {
    WAYMARK_TESTED_BUILD=1 swift build --scratch-path .build/tested --disable-index-store \
        -debug-info-format none -Xswiftc -Osize -Xswiftc -wmo -Xswiftc -num-threads -Xswiftc 2 "$@"
}

# The program that the scripts run. It is there with the unit tests, and saves a quick run the time of
# a release build.
tested=$built/waymark

# What answers in half an hour. Stages that are together run three at a time, because most of them
# wait, and those that take longest begin first.
test_quickly() {
    # It waits for the network while the build computes.
    begin 'tools of the tests' install_tools
    stage 'build' build_tested --build-tests
    # Everything is built by now, so this only reads imports. It names a product because without one
    # SwiftPM 6.3 passes over the check in silence. TidyTests holds the finer table: this check lets a
    # room import what another room's dependencies make reachable.
    stage 'imports' build_tested --product waymark --explicit-target-dependency-import-check error
    reap
    stage 'shell scripts' check_scripts
    stage 'Dockerfile' "$tools/bin/hadolint" Dockerfile
    stage 'promtool' install_promtool
    stage 'nginx' install_nginx
    stage 'HAProxy' install_haproxy
    stage 'PostgreSQL' install_postgresql
    stage 'deploy' with_tools Tests/Tools/check-deploy
    [ "$tested" != "$binary" ] || stage 'release build' build_release
    # They wait most of the time, and longer than anything else.
    begin 'certificates of a fleet' "Tests/Tools/check-acme $tested --only fleet"
    begin 'certificates of Pebble' "Tests/Tools/check-acme $tested --except fleet"
    stage 'unit tests' run_unit_tests
    stage 'request parser beside h11' with_tools Tests/Tools/check-parser "$built/request-probe"
    together 'smoke tests' with_tools Tests/Smoke/run "$tested"
    together 'configuration schema' with_tools Tests/Tools/check-schema "$tested"
    together 'nodes over one PostgreSQL' Tests/Tools/check-fleet "$tested"
    together 'API beside its description' with_tools Tests/Tools/check-api "$tested"
    together 'library' Tests/Tools/check-library "$tested"
    together 'faults of live sites' Tests/Tools/check-live "$tested"
    together 'init beside nginx and Apache' Tests/Tools/check-migration "$tested"
    together 'output of lint' with_tools Tests/Tools/check-lint "$tested"
    together 'manual pages' Tests/Tools/check-manual "$tested"
    together 'QR codes' with_tools Tests/Tools/check-qr "$tested" 4
    together 'explain beside serve' Tests/Tools/check-explain "$tested"
    together 'OpenID provider that lies' Tests/Tools/check-openid "$tested"
    together 'scripts that are ended' with_tools Tests/Tools/check-endings "$tested"
    together 'clients that are generated' with_tools Tests/Tools/check-clients "$tested"
    together 'tags that report finds' with_tools Tests/Tools/check-report "$tested"
    together 'Kubernetes' with_tools Tests/Tools/check-kubernetes "$tested"
    together 'docker-compose.yml' with_tools Tests/Tools/check-compose "$tested"
    together 'door of the console' Tests/Tools/check-console "$tested"
    together 'two nodes behind HAProxy' with_haproxy Tests/Tools/check-haproxy "$tested"
    together 'behind HAProxy' with_haproxy Tests/Tools/check-proxies "$tested"
    together 'streams, cut and repeated' Tests/Soak/streams "$tested" "$built/request-probe"
    together 'stored links beside a model' Tests/Soak/model "$tested" --operations 1000 --seeds 7
    gather 3
}

# What takes longer, or needs a release.
test_thoroughly() {
    # Ubuntu has it as a snap alone.
    if is_there chromium || [ -n "$(apt-cache madison chromium 2>/dev/null)" ]; then
        stage 'tools of the browser' install_browser_tools
        stage 'console in a browser' with_browser Tests/Tools/check-browser "$binary"
        stage 'passkeys of a site in a browser' with_browser Tests/Tools/check-passkeys "$binary"
    else
        say 'there is no package chromium here; console and passkeys are not tried in a browser'
    fi
    stage 'fuzz targets' Tests/Fuzz/run --seconds 5
    stage 'bootstrap serve' Tests/Tools/check-bootstrap
    stage 'lease of a fleet' Tests/Tools/check-acme "$binary" --only 'fleet renews'
    stage 'soak' Tests/Soak/run "$binary" --minutes 0.5
    stage 'release in dist' package
    stage 'package, tarball, image' with_tools Tests/Packaging/check-package
}

# --- Stages -------------------------------------------------------------------------------------

stages_passed=()
# Of stages that run together: their names and commands before they begin, and by process after.
waiting_names=() waiting_commands=()
declare -A running_names=() running_since=() running_logs=()

# Runs one stage; the first that fails ends the run, and is named. `set -e` does not reach into a
# condition, so what a stage runs must hand on its own failures.
stage() {
    local name=$1 start=$SECONDS
    shift
    printf '\n== %s\n' "$name"
    "$@" </dev/null || fail "$name (exit status $?)"
    pass "$name" $((SECONDS - start))
}

# Puts a stage aside, to be run beside others by `gather`. Its command has no blanks in its words.
together() {
    waiting_names+=("$1")
    shift
    waiting_commands+=("$*")
}

# Runs what was put aside, so many at a time, and shows what each printed when it ends.
gather() {
    local most=$1 position
    for position in "${!waiting_names[@]}"; do
        [ ${#running_names[@]} -lt "$most" ] || reap
        begin "${waiting_names[position]}" "${waiting_commands[position]}"
    done
    while [ ${#running_names[@]} -gt 0 ]; do reap; done
    waiting_names=() waiting_commands=()
}

# A process group of its own lets a run that fails end what the stage has started.
begin() {
    local log=$kept/${1//[^A-Za-z0-9]/-}.log words
    read -ra words <<<"$2"
    set -m
    "${words[@]}" >"$log" 2>&1 </dev/null &
    set +m
    running_names[$!]=$1 running_since[$!]=$SECONDS running_logs[$!]=$log
}

reap() {
    local ended status=0 name
    wait -n -p ended "${!running_names[@]}" || status=$?
    name=${running_names[$ended]}
    printf '\n== %s\n' "$name"
    cat "${running_logs[$ended]}"
    unset "running_names[$ended]"
    [ $status -eq 0 ] || fail "$name (exit status $status after $((SECONDS - running_since[$ended])) s)"
    pass "$name" $((SECONDS - running_since[$ended]))
}

pass() {
    local before
    before=$(awk -F '\t' -v name="$1" '$3 == name { seconds = $4 } END { print seconds }' $times 2>/dev/null) || true
    stages_passed+=("$(printf '%5d s  %s%s' "$2" "$1" "${before:+ ($before s the time before)}")")
    printf '%(%FT%T%z)T\t%s\t%s\t%d\n' -1 "$(git rev-parse --short HEAD 2>/dev/null || echo -)" \
        "$1" "$2" >>$times
}

fail() {
    printf '\n%s\nbootstrap: FAILED: %s\n' "$(passed_so_far)" "$1"
    exit 1
}

passed_so_far() {
    [ ${#stages_passed[@]} -eq 0 ] || printf 'passed %s\n' "${stages_passed[@]}"
}

# shellcheck disable=SC2329 # called by a trap
end_stages() {
    local process
    for process in "${!running_names[@]}"; do kill -- "-$process" 2>/dev/null || true; done
}

# --- Unit tests ---------------------------------------------------------------------------------

# Most tests wait for a program, a server or a clock. So more processes than cores run them, each
# one test after the other: then a test's time is its own. They take about equally long; the last
# one has what no other has.
readonly unit_test_parts=(
    '^CommandsTests\.HostileText'
    '^CommandsTests\.[A-G]'
    '^CommandsTests\.L'
    '^CommandsTests\.'
    '^OriginTests\.[A-K]'
    '^OriginTests\.'
    '^(AppFiles|Associations|Certificates|LinkAPI)Tests\.'
    '^(LinkStore|Migration)Tests\.'
    '^(Console|Tidy)Tests\.'
)

run_unit_tests() (
    running=() logs=$kept/unit-tests not=()
    rm -rf $logs && mkdir -p $logs
    # shellcheck disable=SC2329 # called by the trap
    end_all() { kill "${running[@]}" 2>/dev/null || true; }
    trap end_all EXIT
    for part in "${unit_test_parts[@]}" ''; do
        number=${#running[@]}
        "$built/waymarkPackageTests.xctest" --testing-library swift-testing --no-parallel \
            ${part:+--filter "$part"} "${not[@]}" \
            --event-stream-output-path "$logs/$number.events" >"$logs/$number.log" 2>&1 &
        running+=($!) not+=(--skip "$part")
    done
    failed=0
    for number in "${!running[@]}"; do
        if wait "${running[number]}"; then
            tail -n 1 "$logs/$number.log"
        else
            failed=1
            cat "$logs/$number.log"
        fi
    done
    # What has failed stands at the end, too.
    grep -ah '^✘' $logs/*.log | tail -n 60 || true
    Tests/Tools/slowest-tests $logs/*.events
    exit "$failed"
)

# --- Tools --------------------------------------------------------------------------------------

with_tools() { PATH=$root/$tools/bin:$root/$promtool:$PATH "$@"; }

# Takes promtool out of Debian's package of Prometheus. To install that one would start a server,
# on the port of the admin listener.
install_promtool() {
    extract "$promtool" usr/bin/promtool prometheus ||
        say 'promtool cannot be had from apt; alert rules will not be checked'
}

# The same of nginx, whose package would start a server on port 80. Ubuntu 22.04 has the program in
# a package of its own.
install_nginx() {
    extract "$nginx" usr/sbin/nginx nginx || extract "$nginx" usr/sbin/nginx nginx-core || {
        say 'nginx is missing, and cannot be had from apt'
        return 1
    }
}

# The same of HAProxy, with the libraries that the system lacks.
install_haproxy() {
    if command -v haproxy >/dev/null || [ -x "$haproxy/usr/sbin/haproxy" ]; then return 0; fi
    extract_all "$haproxy" haproxy
    [ -x "$haproxy/usr/sbin/haproxy" ] || {
        say 'HAProxy is missing, and cannot be had from apt'
        return 1
    }
}

# The same of PostgreSQL, whose package would make a database and start its server. Each system has one version.
install_postgresql() {
    local package
    if has_postgresql '' || has_postgresql "$postgresql"; then return 0; fi
    package=$(apt-cache depends postgresql | sed -n 's/^ *Depends: \(postgresql-[0-9]*\)$/\1/p')
    [ -z "$package" ] || extract_all "$postgresql" "$package"
    has_postgresql "$postgresql" || {
        say 'PostgreSQL is missing, and cannot be had from apt'
        return 1
    }
}

has_postgresql() { compgen -G "$1/usr/lib/postgresql/*/bin/initdb" >/dev/null; }

# Extracts a package, and the libraries that the system lacks, into a directory.
extract_all() {
    local directory=$1 package=$2 work libraries
    mapfile -t libraries < <(missing_libraries "$package")
    work=$(mktemp -d)
    if (cd "$work" && apt-get -qq download "$package" "${libraries[@]}" 2>/dev/null) &&
        for file in "$work"/*.deb; do dpkg --extract "$file" "$work/all" || exit 1; done; then
        mkdir -p "$directory" && cp -r "$work/all/usr" "$directory/"
    fi
    rm -rf "$work"
}

# The libraries that a package needs and that are not installed.
missing_libraries() {
    apt-cache depends --recurse --no-recommends --no-suggests --no-conflicts --no-breaks \
        --no-replaces --no-enhances "$1" | grep -E '^lib[a-z0-9.+-]+$' | sort -u |
        while read -r library; do
            dpkg-query -W -f='${db:Status-Status}' "$library" 2>/dev/null | grep -q '^installed$' ||
                printf '%s\n' "$library"
        done
}

with_haproxy() {
    local beside=
    # They are there only if the system has no HAProxy of its own.
    if [ -d "$root/$haproxy/usr/lib" ]; then beside=$(find "$root/$haproxy/usr/lib" -type d -printf '%p:'); fi
    PATH=$PATH:$root/$haproxy/usr/sbin LD_LIBRARY_PATH=$beside "$@"
}

# Takes a program out of a package into a directory, unless it is there or on the PATH.
extract() {
    local directory=$1 path=$2 package=$3 work
    if command -v "${path##*/}" >/dev/null || [ -x "$directory/${path##*/}" ]; then return 0; fi
    work=$(mktemp -d)
    if (cd "$work" && apt-get -qq download "$package" 2>/dev/null) &&
        dpkg --extract "$work/$package"_*.deb "$work/all" && [ -x "$work/all/$path" ]; then
        mkdir -p "$directory" && cp "$work/all/$path" "$directory/"
    fi
    rm -rf "$work"
    [ -x "$directory/${path##*/}" ]
}

# Installs the packages of a list from PyPI into a directory, unless those of this very list are there.
install_list() {
    local list=$1 directory=$2
    if cmp -s "$list" "$directory/requirements.txt" && "$directory/bin/python" -c '' 2>/dev/null; then
        return 0
    fi
    rm -rf "$directory" && python3 -m venv "$directory" &&
        "$directory/bin/python" -m pip --quiet --disable-pip-version-check install -r "$list" &&
        cp "$list" "$directory/requirements.txt"
}

install_tools() { install_list Tests/Tools/requirements.txt "$tools"; }

# Chromium, and the packages that drive it.
install_browser_tools() {
    install chromium && install_list Tests/Browser/requirements.txt "$browser_tools"
}

with_browser() { PATH=$root/$browser_tools/bin:$PATH "$@"; }

check_scripts() {
    local scripts
    mapfile -t scripts < <(grep -rlE '^#!/.*\b(ba)?sh$|^# shellcheck shell=' bootstrap .ci Tests deploy)
    "$tools/bin/shellcheck" "${scripts[@]}"
}
