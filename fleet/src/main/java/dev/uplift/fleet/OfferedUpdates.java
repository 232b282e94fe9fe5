package dev.uplift.fleet;

import java.time.Instant;

/// The updates that the repositories of a host offer for one of its packages, beyond those installed.
///
/// @param updates how many; 0: nothing
/// @param security how many of them are for security, as far as the host can tell
/// @param since when exactly these were first reported
/// @param state what an upgrade of ours has made of them
public record OfferedUpdates(int updates, int security, Instant since, State state) {
  /// The state of an offer. An upgrade counts for the updates that were offered when it began.
  public enum State {
    /// No upgrade has succeeded or failed with it.
    NEW,
    /// An upgrade has succeeded: it has left what is offered still.
    TAKEN,
    /// An upgrade has failed, and the failure was not cleared.
    FAILED
  }

  /// Returns whether there is something left to do about it: something is offered that no upgrade has left.
  public boolean isLeftToDo() {
    return updates > 0 && state != State.TAKEN;
  }

  /// For people.
  public String describe() {
    if (updates == 0) {
      return "nothing";
    }
    String count = updates == 1 ? "1 update" : updates + " updates";
    return "%s, %s for security, since %s".formatted(count, security == 0 ? "none" : security, since);
  }
}
