# shellcheck shell=bash
# Functions for the other scripts, which source this file. Messages go to stderr, since stdout belongs to the program.

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

say() { printf 'salvo: %s\n' "$*" >&2; }

die() {
  say "$@"
  exit 1
}

# quietly MESSAGE LOG COMMAND...: runs the command without its output. Prints the message if the command takes over half a
# second, and the output if it fails.
quietly() {
  local message=$1 log=$2 status=0 announcer
  shift 2
  # The sleeping process closes our descriptors: a reader of our output would wait for it otherwise.
  { sleep 0.5 </dev/null >/dev/null 2>&1 9>&- && say "$message"; } &
  announcer=$!
  "$@" </dev/null >"$log" 2>&1 || status=$?
  kill "$announcer" 2>/dev/null || true
  wait "$announcer" 2>/dev/null || true
  if ((status != 0)); then
    cat -- "$log" >&2
  fi
  return "$status"
}

# made_here DIR: whether the build directory was configured for ninja at its present place, not in a clone that was moved or copied.
made_here() {
  local line home='' dir='' generator=''
  while read -r line; do
    case $line in
      CMAKE_HOME_DIRECTORY:INTERNAL=*) home=${line#*=} ;;
      CMAKE_CACHEFILE_DIR:INTERNAL=*) dir=${line#*=} ;;
      CMAKE_GENERATOR:INTERNAL=*) generator=${line#*=} ;;
    esac
  done < <(grep -s ':INTERNAL=' "$1/CMakeCache.txt")
  [[ $home -ef $root && $dir -ef $1 && $generator == Ninja ]]
}

# build PRESET TARGET...: builds these targets in build/PRESET. Tests and benchmarks need more packages, so they are configured
# only for a target other than the program. The server and battles take long to compile, so they are configured only then or if
# salvo_server or salvo_battles is ON. Features stay enabled in a directory once they were. The lock of the directory remains
# held as descriptor 9, so that no other build replaces what the caller is about to run. Callers that run long close it: 9>&-.
# feature_options: an array of NAME=VALUE that enables further features (-D).
feature_options=()
build() {
  local preset=$1 dir=$root/build/$1
  shift
  mkdir -p -- "$root/build"
  exec 9>"$dir.lock"
  flock --nonblock 9 || {
    say "waiting for another build of build/$preset..."
    flock 9
  }
  if [[ -e $dir ]] && ! made_here "$dir"; then
    say "build/$preset was made for another place or generator, starting anew"
    rm -rf -- "$dir"
  fi
  local testing=OFF server=${salvo_server:-OFF} battles=${salvo_battles:-OFF}
  if [[ $* != salvo ]] || grep -qs '^BUILD_TESTING:BOOL=ON' "$dir/CMakeCache.txt"; then testing=ON; fi
  if [[ $testing == ON ]] || grep -qs '^SALVO_SERVE:BOOL=ON' "$dir/CMakeCache.txt"; then server=ON; fi
  # The server answers about battles, too.
  if [[ $server == ON ]] || grep -qs '^SALVO_BATTLES:BOOL=ON' "$dir/CMakeCache.txt"; then battles=ON; fi
  # ninja reconfigures when a CMake file has changed, but it does not track the presets.
  local option options=("BUILD_TESTING=$testing" "SALVO_SERVE=$server" "SALVO_BATTLES=$battles" ${feature_options[@]+"${feature_options[@]}"}) anew=
  for option in "${options[@]}"; do
    grep -qs "^${option%%=*}:[A-Z]*=${option#*=}\$" "$dir/CMakeCache.txt" || anew=1
  done
  if [[ -n $anew || ! -f $dir/build.ninja ]] || ! cmp -s "$root/CMakePresets.json" "$dir/presets.configured"; then
    quietly "configuring..." "$dir.log" cmake -S "$root" --preset "$preset" \
      "${options[@]/#/-D}" || die "cannot configure build/$preset"
    cp -- "$root/CMakePresets.json" "$dir/presets.configured"
  fi
  quietly "building..." "$dir.log" ninja -C "$dir" -j "${SALVO_JOBS:-$(nproc)}" "$@" || die "the build failed"
}

# play_tests PRESET CTEST-ARGUMENTS...: releases the lock of a build and runs its tests. Also reports skipped parts of tests that
# passed, and tests that passed only at the second try (--repeat until-pass:2).
play_tests() {
  local dir=$root/build/$1 status=0
  shift
  exec 9>&-
  ctest --test-dir "$dir" --output-on-failure --no-tests=error "$@" || status=$?
  awk '/^[0-9]+\/[0-9]+ Testing: / { name = $0; sub(/^.* Testing: /, "", name) }
    /^OK \(skipped=/ { print "salvo: left out in " name ": " substr($0, 5, length($0) - 5) }
    /^Test Failed/ { failed[name] = 1 }
    /^Test Passed/ && failed[name] { print "salvo: passed at the second try: " name }
  ' "$dir/Testing/Temporary/LastTest.log" >&2 || true
  return "$status"
}
