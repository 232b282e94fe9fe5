package dev.uplift.services.messaging;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;

/// Whose message it is. That says the subject alone, for NATS lets nobody write on another's.
public record MessageOrigin(String tenant, HostId host) {

  /// Reads any subject of a host; one that is none of them is a [MalformedMessage].
  public static MessageOrigin of(String subject) {
    String[] names = Subjects.hostAddressOf(subject).split("\\.", -1);
    try {
      // The device is of no matter: its type knows what a tenant may be called.
      return new MessageOrigin(new DeviceId(names[0], "any").tenant(), new HostId(names[1]));
    } catch (IllegalArgumentException _) {
      throw new MalformedMessage("subject: expected the names of a tenant and a host");
    }
  }
}
