# Sets JAVA_HOME to a JDK of version 25 or newer, or says what to install and ends. Is sourced by
# `mvnw` and `uplift`. Order: JAVA_HOME, the `java` on the PATH, then the usual places.

is_jdk_25() {
  [ -x "$1/bin/java" ] && [ -x "$1/bin/javac" ] || return 1
  # Every JDK says its version in this file, and to read it takes no time.
  version=$(sed -n 's/^JAVA_VERSION="\([0-9][0-9]*\).*/\1/p' "$1/release" 2>/dev/null) || version=''
  if [ -z "$version" ]; then
    version=$("$1/bin/javac" -version 2>&1) || return 1
    version=${version#javac }
    version=${version%%[!0-9]*}
  fi
  [ "${version:-0}" -ge 25 ]
}
find_jdk_25() {
  if [ -n "${JAVA_HOME-}" ] && is_jdk_25 "$JAVA_HOME"; then
    return 0
  fi
  if java=$(command -v java); then
    java=$(readlink -f "$java")
    set -- "${java%/bin/java}"
  else
    set --
  fi
  # The caller may have switched path name expansion off.
  case $- in *f*) expands=no ;; *) expands=yes ;; esac
  set +f
  set -- "$@" /usr/lib/jvm/* /usr/java/* /opt/*jdk* /opt/java/* /usr/local/*jdk* \
    "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
    "$HOME"/.asdf/installs/java/* /snap/openjdk/current/jdk
  [ "$expands" = yes ] || set -f
  for home; do
    if is_jdk_25 "$home"; then
      JAVA_HOME=$home
      export JAVA_HOME
      return 0
    fi
  done
  return 1
}

find_jdk_25 || {
  echo "uplift: needs a JDK 25, and none was found: install one (for example the package openjdk-25-jdk or temurin-25-jdk), or set JAVA_HOME to where it is" >&2
  exit 1
}
