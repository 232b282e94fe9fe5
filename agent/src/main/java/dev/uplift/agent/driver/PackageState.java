package dev.uplift.agent.driver;

import java.util.regex.Pattern;

/// A package as a driver finds it.
///
/// @param version that the host runs; [#UNKNOWN] where it cannot be told
/// @param staged version that is prepared but not in use; empty if there is none
/// @param onTrial whether the host goes back by itself unless a `commit` comes
public record PackageState(String version, String staged, boolean onTrial) {
  public static final String UNKNOWN = "unknown";

  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.+~_-]{1,64}");

  /// What cannot be a version, whoever said it, is [#UNKNOWN].
  public PackageState {
    version = VERSION.matcher(version).matches() ? version : UNKNOWN;
    staged = VERSION.matcher(staged).matches() ? staged : "";
  }

  public static PackageState unknown() {
    return new PackageState(UNKNOWN, "", false);
  }
}
