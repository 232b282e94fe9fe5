package dev.uplift.api.security;

import java.util.Collection;
import java.util.List;

/// The roles, each with all rights of the ones before it.
public final class Roles {
  /// Reads.
  public static final String VIEWER = "viewer";

  /// Steers upgrades, too.
  public static final String OPERATOR = "operator";

  /// Writes devices, releases and tenants, too.
  public static final String ADMIN = "admin";

  static final List<String> ALL = List.of(VIEWER, OPERATOR, ADMIN);

  private Roles() {}

  /// All roles that somebody has who was given these. Words that are no role give nothing.
  static List<String> effectiveRoles(Collection<String> given) {
    int highest = given.stream().mapToInt(ALL::indexOf).max().orElse(-1);
    return ALL.subList(0, highest + 1);
  }
}
