# Ends what a JVM has started, when that JVM is gone. It reads registrations on standard input, one
# per line; the other end of that pipe is held by nobody but the JVM, so its end is the JVM's end, by
# whatever death. POSIX sh, grep and Linux' /proc are all it needs.
#
#   tag NAME       every process with UPLIFT_STACK=NAME… in its environment is to be killed
#   folder PATH    is to be removed, after that
#   postgres PATH  the data folder of a PostgreSQL that is to be shut down
#   forget PATH    neither of the two any more

trap '' HUP INT QUIT TERM
newline='
'
tags='' folders='' databases=''

# Paths are kept one per line.
without() {
  printf '%s' "$1" | grep -v -x -F -e "$2"
}

while IFS= read -r line; do
  name=${line#* }
  case $line in
    'tag '*) tags=$tags$name$newline ;;
    'folder '*) folders=$folders$name$newline ;;
    'postgres '*) databases=$databases$name$newline ;;
    'forget '*)
      folders=$(without "$folders" "$name")$newline
      databases=$(without "$databases" "$name")$newline
      ;;
  esac
done

IFS=$newline

tagged() {
  set --
  for tag in $tags; do
    set -- "$@" -e "UPLIFT_STACK=$tag"
  done
  [ $# -gt 0 ] || return 0
  grep -l -s -F "$@" /proc/[0-9]*/environ | sed 's,/proc/,,; s,/environ,,'
}

moment() {
  sleep 0.1 2>/dev/null || sleep 1
}

# Whatever they start meanwhile has the tag, too: until none is left.
tries=0
while pids=$(tagged) && [ -n "$pids" ] && [ "$tries" -lt 100 ]; do
  # shellcheck disable=SC2086 # one word per line
  kill -9 $pids 2>/dev/null
  tries=$((tries + 1))
  moment
done

# PostgreSQL writes its title over its environment, and wants to give back its shared memory.
for data in $databases; do
  pid=''
  [ ! -r "$data/postmaster.pid" ] || read -r pid <"$data/postmaster.pid"
  case $pid in '' | *[!0-9]*) continue ;; esac
  [ "$(readlink "/proc/$pid/cwd")" = "$(cd -P "$data" && pwd -P)" ] || continue
  kill -QUIT "$pid" 2>/dev/null
  tries=0
  while [ -e "/proc/$pid/cwd" ] && [ "$tries" -lt 50 ]; do
    tries=$((tries + 1))
    moment
  done
  kill -9 "$pid" 2>/dev/null
done

for folder in $folders; do
  rm -rf -- "$folder" 2>/dev/null || { moment && rm -rf -- "$folder"; }
done
