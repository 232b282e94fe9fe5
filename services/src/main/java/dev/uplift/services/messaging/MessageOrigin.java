package dev.uplift.services.messaging;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.NameRule;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;

/// The host that a message comes from. The subject proves it, because NATS lets no host publish on the subjects of
/// another.
public record MessageOrigin(String tenant, HostId host) {

  /// Parses any subject of a host; any other one is a [MalformedMessage].
  public static MessageOrigin of(String subject) {
    String address = Subjects.hostAddressOf(subject);
    int dot = address.indexOf('.');
    String tenant = address.substring(0, dot);
    try {
      NameRule.TENANT.requireValid(tenant);
      return new MessageOrigin(tenant, new HostId(address.substring(dot + 1)));
    } catch (IllegalArgumentException _) {
      throw new MalformedMessage("subject: expected the names of a tenant and a host");
    }
  }
}
