package dev.uplift.agent.driver;

import java.util.regex.Pattern;

/// A package as a driver finds it.
///
/// @param version that the host runs; [#UNKNOWN] where it cannot be told
/// @param staged version that is prepared but not in use; empty if there is none
/// @param trial whether the host goes back by itself unless a `commit` comes
public record Found(String version, String staged, boolean trial) {
  public static final String UNKNOWN = "unknown";

  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.+~_-]{1,64}");

  /// What cannot be a version, whoever said it, is [#UNKNOWN].
  public Found {
    version = VERSION.matcher(version).matches() ? version : UNKNOWN;
    staged = VERSION.matcher(staged).matches() ? staged : "";
  }

  public static Found nothing() {
    return new Found(UNKNOWN, "", false);
  }
}
