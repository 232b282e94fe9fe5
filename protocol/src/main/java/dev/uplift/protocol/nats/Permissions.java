package dev.uplift.protocol.nats;

import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.JsonWriter;
import java.util.List;
import java.util.function.Consumer;

/// What a user of NATS may do, and not a subject more.
///
/// @param maxSubscriptions at most; without a limit where -1
/// @param maxPayload bytes of a message at most; without a limit where -1
public record Permissions(
    List<String> publish, List<String> subscribe, long maxSubscriptions, long maxPayload) {
  /// NATS puts the name of the ticket there.
  private static final String NAME = "{{name()}}";

  private static final int SUBSCRIPTIONS = 16;
  private static final int PAYLOAD = 64 * 1024;

  /// Of a host, whose tickets have the name `<tenant>.<host>` and the tag `tenant:<tenant>`: its
  /// own subjects, and what its tenant trusts.
  public static final Permissions HOST = of(NAME, "{{tag(tenant)}}", SUBSCRIPTIONS, PAYLOAD);

  /// Of one who plays hosts of the tenant that is the ticket's name: the subjects of all of them.
  /// For simulations; nothing in the field has it.
  public static final Permissions FLEET = of(NAME + ".*", NAME, -1, -1);

  private static Permissions of(String host, String tenant, long subscriptions, long payload) {
    return new Permissions(
        List.of(
            Subjects.events(host),
            Subjects.info(host),
            Subjects.heartbeat(host, "*"),
            Subjects.directGetCommand(host),
            Subjects.directGetInfo(host),
            Subjects.directGetRoot(tenant, "*")),
        List.of(Subjects.command(host), "_INBOX." + NAME + ".>"),
        subscriptions,
        payload);
  }

  /// As a ticket says them.
  public void write(JsonWriter jsonWriter) {
    jsonWriter.put("pub", allow(publish)).put("sub", allow(subscribe));
    jsonWriter.put("subs", maxSubscriptions).put("data", -1).put("payload", maxPayload);
  }

  private static Consumer<JsonWriter> allow(List<String> subjects) {
    return jsonWriter -> jsonWriter.put("allow", subjects);
  }
}
