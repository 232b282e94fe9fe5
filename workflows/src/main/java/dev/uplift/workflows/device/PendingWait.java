package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import java.time.Instant;
import java.util.Optional;

/// Something that an upgrade waits for.
///
/// @param step that is waited for, and on which host
/// @param message for people, with all that they need to know
/// @param from where it has to come from: the host's id, `operator`, `clock`, or `uplift` itself
/// @param until when the wait ends and something else is done; empty: never
public record PendingWait(
    UpgradeWaitReason reason,
    Step step,
    HostId host,
    String message,
    String from,
    Instant since,
    Optional<Instant> until) {

  /// The reasons for which an upgrade waits. Programs rely on these words.
  public enum UpgradeWaitReason {
    /// The result of a command from a host.
    RESULT,
    /// A heartbeat that shows the wanted version.
    HEARTBEAT,
    /// A host that is not heard and on which nothing was changed yet.
    OFFLINE,
    /// Our own connection to the hosts: it is or was just down, so their silence proves nothing.
    PRESENCE,
    /// An operator's `retryStep`, `skipHost` or `abort`.
    PERSON,
    /// An operator's `resume`.
    RESUME,
    /// The `approve` of an operator other than the author.
    APPROVAL,
    /// The signal `proceed` of its rollout, sent once the window is open and there is room.
    PROCEED,
    /// A maintenance window to open.
    WINDOW,
    /// The time until a step is retried.
    BACK_OFF,
    /// The time for which the release has to run on a host.
    SOAK;

    public String from(HostId host) {
      return switch (this) {
        case RESULT, HEARTBEAT, OFFLINE -> host.value();
        case PRESENCE, PROCEED -> "uplift";
        case PERSON, RESUME, APPROVAL -> "operator";
        case BACK_OFF, SOAK, WINDOW -> "clock";
      };
    }

    /// Returns whether the records are told of such a wait: nothing ends it before its time but a person, or a host
    /// that is switched on.
    public boolean isRecorded() {
      return switch (this) {
        case PERSON, RESUME, APPROVAL, OFFLINE -> true;
        case RESULT, HEARTBEAT, PRESENCE, PROCEED, WINDOW, BACK_OFF, SOAK -> false;
      };
    }
  }

  /// Returns a copy that ends at `end`.
  public PendingWait until(Instant end) {
    return new PendingWait(reason, step, host, message, from, since, Optional.of(end));
  }
}
