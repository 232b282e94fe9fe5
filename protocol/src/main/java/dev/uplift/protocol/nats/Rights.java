package dev.uplift.protocol.nats;

import dev.uplift.protocol.Json;
import dev.uplift.protocol.Subjects;
import java.util.List;
import java.util.function.Consumer;

/// What a user of NATS may do, and not a subject more.
///
/// @param subscriptions at most; without a limit where -1
/// @param payload bytes of a message at most; without a limit where -1
public record Rights(
    List<String> publish, List<String> subscribe, long subscriptions, long payload) {
  /// NATS puts the name of the ticket there.
  private static final String NAME = "{{name()}}";

  private static final int SUBSCRIPTIONS = 16;
  private static final int PAYLOAD = 64 * 1024;

  /// Of a host, whose tickets have the name `<tenant>.<host>` and the tag `tenant:<tenant>`: its
  /// own subjects, and what its tenant trusts.
  public static final Rights HOST = of(NAME, "{{tag(tenant)}}", SUBSCRIPTIONS, PAYLOAD);

  /// Of one who plays hosts of the tenant that is the ticket's name: the subjects of all of them.
  /// For simulations; nothing in the field has it.
  public static final Rights FLEET = of(NAME + ".*", NAME, -1, -1);

  private static Rights of(String host, String tenant, long subscriptions, long payload) {
    return new Rights(
        List.of(
            Subjects.events(host),
            Subjects.info(host),
            Subjects.heartbeat(host, "*"),
            Subjects.directGetCommand(host),
            Subjects.directGetInfo(host),
            Subjects.directGetTrust(tenant, "*")),
        List.of(Subjects.command(host), "_INBOX." + NAME + ".>"),
        subscriptions,
        payload);
  }

  /// As a ticket says them.
  public void write(Json json) {
    json.put("pub", allow(publish)).put("sub", allow(subscribe));
    json.put("subs", subscriptions).put("data", -1).put("payload", payload);
  }

  private static Consumer<Json> allow(List<String> subjects) {
    return json -> json.put("allow", subjects);
  }
}
