package dev.uplift.fleet.webhook;

import java.util.List;

/// Which events a webhook receives: kinds such as `upgrade.ended`, groups such as `rollout.*`, or `*` for all.
///
/// @param patterns in the order in which they were written; none: all events
public record EventFilter(List<String> patterns) {
  /// The form of a pattern, for the API's documentation.
  public static final String PATTERN = "^(\\*|[a-z]{1,30}\\.(\\*|[a-z-]{1,30}))$";

  private static final String ALL = "*";
  private static final String GROUP_END = ".*";

  public EventFilter {
    patterns = List.copyOf(patterns);
  }

  /// Returns whether events of this kind are sent.
  public boolean accepts(String kind) {
    return patterns.isEmpty() || patterns.stream().anyMatch(pattern -> isMatch(pattern, kind));
  }

  /// Returns whether a pattern means this kind.
  public static boolean isMatch(String pattern, String kind) {
    return pattern.equals(ALL)
        || pattern.equals(kind)
        || (pattern.endsWith(GROUP_END) && kind.startsWith(pattern.substring(0, pattern.length() - 1)));
  }
}
