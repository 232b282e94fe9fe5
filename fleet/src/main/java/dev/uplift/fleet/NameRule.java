package dev.uplift.fleet;

import java.util.regex.Pattern;

/// The rules for names, so that every name is valid in a workflow id, a subject, a path and a command line without
/// escaping.
public enum NameRule {
  TENANT("tenant", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
  DEVICE("device", "[A-Za-z0-9][A-Za-z0-9_-]{0,62}"),
  HOST("host", "[A-Za-z0-9][A-Za-z0-9_-]{0,62}"),
  PACKAGE("package", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
  CHANNEL("channel", "[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?"),
  ROLLOUT("rollout", "[a-z0-9][a-z0-9-]{0,31}"),
  POLICY("policy", "[a-z0-9][a-z0-9-]{0,62}"),
  BARRIER("barrier", "[a-z0-9][a-z0-9-]{0,23}"),
  WEBHOOK("webhook", "[a-z0-9][a-z0-9-]{0,62}"),
  VERSION("version", "[A-Za-z0-9.+~_][A-Za-z0-9.+~_-]{0,63}");

  private final String label;
  private final Pattern pattern;

  NameRule(String label, String pattern) {
    this.label = label;
    this.pattern = Pattern.compile(pattern);
  }

  public boolean isValid(String name) {
    return pattern.matcher(name).matches();
  }

  /// The pattern, as error messages and the API's documentation show it.
  public String pattern() {
    return "^" + pattern.pattern() + "$";
  }

  /// Refuses a name that breaks this rule with an [IllegalArgumentException].
  public void requireValid(String name) {
    if (!isValid(name)) {
      throw new IllegalArgumentException("%s '%s' is not %s".formatted(label, name, pattern()));
    }
  }
}
