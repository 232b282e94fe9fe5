package dev.uplift.fleet.presence;

/// How many hosts that were alive lately are heard now, and how many have stopped being heard.
///
/// @param heard hosts with a recent heartbeat
/// @param missing hosts that had one until lately and have none now
public record HostCounts(int heard, int missing) {
  public static final HostCounts NONE = new HostCounts(0, 0);

  /// Returns the counts of both groups of hosts together.
  public HostCounts plus(HostCounts other) {
    return new HostCounts(heard + other.heard, missing + other.missing);
  }

  public int alive() {
    return heard + missing;
  }

  boolean isMissingMoreThan(int percent) {
    return 100L * missing > (long) percent * alive();
  }
}
