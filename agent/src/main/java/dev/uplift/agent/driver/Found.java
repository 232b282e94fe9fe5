package dev.uplift.agent.driver;

/// A package as a driver finds it.
///
/// @param version that the host runs; [#UNKNOWN] where it cannot be told
/// @param staged version that is prepared but not in use; empty if there is none
/// @param trial whether the host goes back by itself unless a `commit` comes
public record Found(String version, String staged, boolean trial) {
  public static final String UNKNOWN = "unknown";

  public static Found nothing() {
    return new Found(UNKNOWN, "", false);
  }
}
