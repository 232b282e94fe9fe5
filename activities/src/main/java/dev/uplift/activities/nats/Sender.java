package dev.uplift.activities.nats;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Subjects;

/// Whose message it is. That says the subject alone, for NATS lets nobody write on another's.
public record Sender(String tenant, HostId host) {

  /// Reads any subject of a host; one that is none of them is a [MalformedMessage].
  public static Sender of(String subject) {
    String[] names = Subjects.hostOf(subject).split("\\.", -1);
    try {
      // The device is of no matter: its type knows what a tenant may be called.
      return new Sender(new DeviceId(names[0], "any").tenant(), new HostId(names[1]));
    } catch (IllegalArgumentException _) {
      throw new MalformedMessage("subject: expected the names of a tenant and a host");
    }
  }
}
