package dev.uplift.agent.trust;

import static java.lang.System.Logger.Level.WARNING;

/// Counts rejected messages, and logs each once, never its content.
public final class RejectionCounter {
  private static final System.Logger LOG = System.getLogger(RejectionCounter.class.getName());

  private long count;
  private String lastSequence = "";
  private String lastRoot = "";

  /// Records a rejected command.
  ///
  /// @param sequence of the message: it is read again and again
  public synchronized void recordCommand(String sequence, String why) {
    if (!sequence.equals(lastSequence)) {
      lastSequence = sequence;
      count++;
      LOG.log(WARNING, "rejected command message {0}: {1}", sequence, why);
    }
  }

  /// Records a rejected root; it is read again and again.
  synchronized void recordRoot(long version, String why) {
    String found = version + " " + why;
    if (!found.equals(lastRoot)) {
      lastRoot = found;
      count++;
      LOG.log(WARNING, "rejected root {0}: {1}", version, why);
    }
  }

  public synchronized long count() {
    return count;
  }
}
