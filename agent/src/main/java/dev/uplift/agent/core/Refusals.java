package dev.uplift.agent.core;

import static java.lang.System.Logger.Level.WARNING;

/// Counts what was refused, and says so once for each; never what it says.
final class Refusals {
  private static final System.Logger LOG = System.getLogger(Refusals.class.getName());

  private long count;
  private String latest = "";

  /// @param sequence of what was refused: what lies in the slot is read again and again
  synchronized void note(String sequence, String why) {
    if (!sequence.equals(latest)) {
      latest = sequence;
      count++;
      LOG.log(WARNING, "refused message {0} of the slot: {1}", sequence, why);
    }
  }

  synchronized long count() {
    return count;
  }
}
