package dev.uplift.services.messaging;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;

/// The host that a message comes from. The subject proves it, because NATS lets no host publish on the subjects of
/// another.
public record MessageOrigin(String tenant, HostId host) {

  /// Parses any subject of a host; any other one is a [MalformedMessage].
  public static MessageOrigin of(String subject) {
    String[] names = Subjects.hostAddressOf(subject).split("\\.", -1);
    try {
      // The device does not matter; its type checks the name of the tenant.
      return new MessageOrigin(new DeviceId(names[0], "any").tenant(), new HostId(names[1]));
    } catch (IllegalArgumentException _) {
      throw new MalformedMessage("subject: expected the names of a tenant and a host");
    }
  }
}
