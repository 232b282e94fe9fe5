package dev.uplift.api.security;

import java.util.Collection;
import java.util.List;

/// The roles, each with all permissions of those before it.
public final class Roles {
  /// Reads.
  public static final String VIEWER = "viewer";

  /// Controls upgrades as well.
  public static final String OPERATOR = "operator";

  /// Changes devices, releases and tenants as well.
  public static final String ADMIN = "admin";

  static final List<String> ALL = List.of(VIEWER, OPERATOR, ADMIN);

  private Roles() {}

  /// Returns all roles that these include. Unknown names are ignored.
  static List<String> effectiveRoles(Collection<String> given) {
    int highest = given.stream().mapToInt(ALL::indexOf).max().orElse(-1);
    return ALL.subList(0, highest + 1);
  }
}
