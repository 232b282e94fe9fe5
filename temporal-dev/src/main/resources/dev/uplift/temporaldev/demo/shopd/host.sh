# Sourced by the others: where this version is, and the host it is on.
here=$(cd -P "${0%/*}/.." && pwd)
root=$here
until [ -f "$root/etc/shopd.conf" ]; do
  [ "$root" != / ] || { echo "no etc/shopd.conf above $here" >&2; exit 1; }
  root=$(dirname "$root")
done
# JAVA and PORT.
. "$root/etc/shopd.conf"
pid_file=$root/run/shopd.pid
up_file=$root/run/shopd.up
log=$root/run/shopd.log
mkdir -p "$root/run"

moment() {
  sleep 0.1 2>/dev/null || sleep 1
}

# The number in the file may belong to another program by now.
runs() {
  [ -f "$pid_file" ] && pid=$(cat "$pid_file") &&
    tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline" | grep -q -F "shopd.jar serve"
}

# A process holds its port until its last thread has ended. One that has ended altogether may still wait to be buried.
lives() {
  case $(cat "/proc/$1/stat" 2>/dev/null) in
    '') return 1 ;;
    *') Z '*) [ "$(ls "/proc/$1/task" 2>/dev/null | wc -l)" -gt 1 ] ;;
  esac
}
