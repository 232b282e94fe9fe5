package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;

/// What an upgrade can wait for. Programs rely on these words.
public enum UpgradeWaitReason {
  /// The answer of a host to a command.
  RESULT,
  /// A heartbeat that shows the wanted version.
  HEARTBEAT,
  /// Our own link to the hosts: it is or was just down, so their silence means nothing.
  PRESENCE,
  /// A person to say `retryStep`, `skipHost` or `abort`.
  PERSON,
  /// A person to say `resume`.
  RESUME,
  /// Another person than the author to say `approve`.
  APPROVAL,
  /// Its rollout to let it go on, which it does once the window is open and there is room.
  PROCEED,
  /// A maintenance window to open.
  WINDOW,
  /// The time until a step is ordered anew.
  BACK_OFF,
  /// The time for which the release has to prove itself on a host.
  SOAK;

  public String from(HostId host) {
    return switch (this) {
      case RESULT, HEARTBEAT -> host.value();
      case PRESENCE, PROCEED -> "uplift";
      case PERSON, RESUME, APPROVAL -> "operator";
      case BACK_OFF, SOAK, WINDOW -> "clock";
    };
  }
}
