package dev.uplift.protocol.nats;

import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.JsonWriter;
import java.util.List;
import java.util.function.Consumer;

/// The permissions of a NATS user.
///
/// @param maxSubscriptions at most; -1: no limit
/// @param maxPayload bytes of a message at most; -1: no limit
public record Permissions(List<String> publish, List<String> subscribe, long maxSubscriptions, long maxPayload) {
  /// NATS replaces it by the name in the user JWT.
  private static final String NAME = "{{name()}}";

  private static final int SUBSCRIPTIONS = 16;
  private static final int PAYLOAD = 64 * 1024;

  /// Of a host, whose user JWT has the name `<tenant>.<host>` and the tag `tenant:<tenant>`: its own subjects, and the
  /// trust roots of its tenant.
  public static final Permissions HOST = of(NAME, "{{tag(tenant)}}", SUBSCRIPTIONS, PAYLOAD);

  /// Of a simulator of all hosts of the tenant that the user JWT is named after. Never used in the field.
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

  /// Writes them as fields of a user JWT.
  public void write(JsonWriter jsonWriter) {
    jsonWriter.put("pub", allow(publish)).put("sub", allow(subscribe));
    jsonWriter.put("subs", maxSubscriptions).put("data", -1).put("payload", maxPayload);
  }

  private static Consumer<JsonWriter> allow(List<String> subjects) {
    return jsonWriter -> jsonWriter.put("allow", subjects);
  }
}
