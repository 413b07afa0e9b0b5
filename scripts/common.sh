# shellcheck shell=bash
# Sourced by the other scripts: where the project is, how to install its packages and how to build it.
# All that is said here goes to stderr, since stdout belongs to the program.

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")

say() { printf 'salvo: %s\n' "$*" >&2; }

die() {
  say "$@"
  exit 1
}

# quietly MESSAGE LOG COMMAND...: runs the command in silence. One that takes over half a second is announced with
# the message, and one that fails shows its output.
quietly() {
  local message=$1 log=$2 status=0 announcer
  shift 2
  # The sleeper holds none of our descriptors, so that nobody who reads our output waits for it.
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

# made_here DIR: the build directory belongs to this very place (neither the clone nor a copy of it was moved) and to
# ninja.
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

# build PRESET TARGET...: brings these targets of build/PRESET up to date. Tests and benchmarks are configured when a
# target other than the program is asked for, since they need more packages; the server and battles then, too, or where
# salvo_server and salvo_battles are ON, since they take long to compile. What was there once stays. It keeps the lock of that
# directory as descriptor 9, so that nobody rebuilds what the caller is about to start; whoever starts something long closes
# it with 9>&-.
# The array feature_options, NAME=VALUE each, enables optional features (-D); they stay enabled in that directory.
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
  # ninja itself configures again when a CMake file has changed, but it knows nothing of the presets.
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

# play_tests PRESET CTEST-ARGUMENTS...: runs tests of a build, whose lock it gives back, and says what "passed" does not: which parts
# of a test were left out, and which failed at first where a second try is allowed (--repeat until-pass:2).
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
