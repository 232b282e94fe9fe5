package dev.uplift.agent.driver;

import java.util.regex.Pattern;

/// The measured state of a package.
///
/// @param version that the host runs; [#UNKNOWN] if it cannot be measured
/// @param staged version that is prepared but not in use; empty if there is none
/// @param onTrial whether the host rolls back by itself unless a `commit` comes
public record PackageState(String version, String staged, boolean onTrial) {
  public static final String UNKNOWN = "unknown";

  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.+~_][A-Za-z0-9.+~_-]{0,63}");

  /// A text that cannot be a version becomes [#UNKNOWN].
  public PackageState {
    version = VERSION.matcher(version).matches() ? version : UNKNOWN;
    staged = VERSION.matcher(staged).matches() ? staged : "";
  }

  public static PackageState unknown() {
    return new PackageState(UNKNOWN, "", false);
  }
}
