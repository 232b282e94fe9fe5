package dev.uplift.workflows.device;

import dev.uplift.fleet.HostId;

/// What an upgrade can wait for. Programs rely on these words.
public enum WaitFor {
  /// The answer of a host to a command.
  ANSWER,
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
  GO,
  /// A maintenance window to open.
  WINDOW,
  /// The time until a step is ordered anew.
  BACK_OFF,
  /// The time for which the release has to prove itself on a host.
  SOAK;

  String from(HostId host) {
    return switch (this) {
      case ANSWER, HEARTBEAT -> host.value();
      case PRESENCE, GO -> "uplift";
      case PERSON, RESUME, APPROVAL -> "operator";
      case BACK_OFF, SOAK, WINDOW -> "clock";
    };
  }
}
