package dev.uplift.agent.trust;

import static java.lang.System.Logger.Level.WARNING;

/// Counts what was refused, and says so once for each; never what it says.
public final class RejectionCounter {
  private static final System.Logger LOG = System.getLogger(RejectionCounter.class.getName());

  private long count;
  private String lastSequence = "";
  private String lastRoot = "";

  /// What lies in the slot.
  ///
  /// @param sequence of what was refused: it is read again and again
  public synchronized void recordCommand(String sequence, String why) {
    if (!sequence.equals(lastSequence)) {
      lastSequence = sequence;
      count++;
      LOG.log(WARNING, "refused message {0} of the slot: {1}", sequence, why);
    }
  }

  /// What wants to be the next root; it is asked for again and again.
  synchronized void recordRoot(long version, String why) {
    String found = version + " " + why;
    if (!found.equals(lastRoot)) {
      lastRoot = found;
      count++;
      LOG.log(WARNING, "refused root {0}: {1}", version, why);
    }
  }

  public synchronized long count() {
    return count;
  }
}
