package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.WARNING;

/// Counts what was refused, and says so once for each; never what it says.
final class Refusals {
  private static final System.Logger LOG = System.getLogger(Refusals.class.getName());

  private long count;
  private String latest = "";
  private String latestRoot = "";

  /// What lies in the slot.
  ///
  /// @param sequence of what was refused: it is read again and again
  synchronized void note(String sequence, String why) {
    if (!sequence.equals(latest)) {
      latest = sequence;
      count++;
      LOG.log(WARNING, "refused message {0} of the slot: {1}", sequence, why);
    }
  }

  /// What wants to be the next root; it is asked for again and again.
  synchronized void noteRoot(long version, String why) {
    String found = version + " " + why;
    if (!found.equals(latestRoot)) {
      latestRoot = found;
      count++;
      LOG.log(WARNING, "refused root {0}: {1}", version, why);
    }
  }

  synchronized long count() {
    return count;
  }
}
