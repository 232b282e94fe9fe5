package dev.uplift.api.settings;

import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// A task of a server process.
public enum ServerRole {
  /// Answers people.
  API,
  /// Carries upgrades out.
  WORKER;

  static Set<ServerRole> parse(String text) {
    Set<ServerRole> roles = EnumSet.noneOf(ServerRole.class);
    for (String word : text.split(",", -1)) {
      roles.add(of(word.strip()));
    }
    return roles;
  }

  private static ServerRole of(String word) {
    return switch (word) {
      case "api" -> API;
      case "worker" -> WORKER;
      default -> throw new IllegalArgumentException("expected api, worker or api,worker, found " + word);
    };
  }

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
