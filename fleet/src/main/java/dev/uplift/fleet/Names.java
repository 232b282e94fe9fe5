package dev.uplift.fleet;

import java.util.regex.Pattern;

/// What things may be called, so that every name can stand in a workflow id, a subject, a path and
/// a command line as it is.
public enum Names {
  TENANT("tenant", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
  DEVICE("device", "[A-Za-z0-9][A-Za-z0-9_-]{0,62}"),
  HOST("host", "[A-Za-z0-9][A-Za-z0-9_-]{0,62}"),
  PACKAGE("package", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
  ROLLOUT("rollout", "[a-z0-9][a-z0-9-]{0,31}"),
  VERSION("version", "[A-Za-z0-9.+~_-]{1,64}");

  private final String what;
  private final Pattern rule;

  Names(String what, String rule) {
    this.what = what;
    this.rule = Pattern.compile(rule);
  }

  public boolean allow(String name) {
    return rule.matcher(name).matches();
  }

  /// The rule as one reads it in a refusal and in the API's documentation.
  public String rule() {
    return "^" + rule.pattern() + "$";
  }

  void check(String name) {
    if (!allow(name)) {
      throw new IllegalArgumentException("%s '%s' is not %s".formatted(what, name, rule()));
    }
  }
}
