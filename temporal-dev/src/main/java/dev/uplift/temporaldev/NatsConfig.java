package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The configuration of nats-server: two accounts, so that a device cannot make JetStream answer to
/// a subject of its choice. Streams live in UPLIFT; devices live in DEVICES, which imports just
/// what they need, and each tenant's user is confined to that tenant's subjects. It is written as
/// JSON, which nats-server reads as it reads its own notation.
record NatsConfig(String name, int port, Path store, Secrets secrets, Collection<String> tenants) {
  private static final String COMMANDS = "device-cmd.*.*";
  private static final List<String> SERVICES =
      List.of(
          "device-state.*.*.upgrade",
          "device-state.*.*.info",
          "device-heartbeat.*.*.*",
          "$JS.API.DIRECT.GET.CMD.device-cmd.*.*",
          "$JS.API.DIRECT.GET.STATE.device-state.*.*.info");

  // The streams' own limits count; by default they would be refused where the disk is small.
  private static final long MAX_FILE_STORE = 1L << 40;

  String text() {
    return Json.indented(
        map(
            "server_name",
            name,
            "listen",
            "127.0.0.1:" + port,
            "jetstream",
            map("store_dir", store, "max_file_store", MAX_FILE_STORE),
            "accounts",
            map("UPLIFT", uplift(), "DEVICES", devices())));
  }

  private Map<String, Object> uplift() {
    return map(
        "jetstream",
        "enabled",
        "users",
        List.of(
            user(
                "uplift",
                List.of(COMMANDS, "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"),
                List.of("_INBOX.>", "device-heartbeat.>", "device-state.>", "$JS.EVENT.>"))),
        "exports",
        Stream.concat(
                Stream.of(map("stream", COMMANDS, "accounts", List.of("DEVICES"))),
                SERVICES.stream()
                    .map(subject -> map("service", subject, "accounts", List.of("DEVICES"))))
            .toList());
  }

  private Map<String, Object> devices() {
    return map(
        "users",
        tenants.stream().map(this::deviceUser).toList(),
        "imports",
        Stream.concat(
                Stream.of(map("stream", from(COMMANDS))),
                SERVICES.stream().map(subject -> map("service", from(subject))))
            .toList());
  }

  private static Map<String, Object> from(String subject) {
    return map("account", "UPLIFT", "subject", subject);
  }

  private Map<String, Object> deviceUser(String tenant) {
    return user(
        Nats.deviceUser(tenant),
        List.of(
            "device-state." + tenant + ".*.upgrade",
            "device-state." + tenant + ".*.info",
            "device-heartbeat." + tenant + ".*.*",
            "$JS.API.DIRECT.GET.CMD.device-cmd." + tenant + ".*",
            "$JS.API.DIRECT.GET.STATE.device-state." + tenant + ".*.info"),
        List.of("device-cmd." + tenant + ".*", "_INBOX." + tenant + ".>"));
  }

  private Map<String, Object> user(String user, List<String> publish, List<String> subscribe) {
    return map(
        "user",
        user,
        "password",
        PrivateFile.read(secrets.password(user)),
        "permissions",
        map("publish", map("allow", publish), "subscribe", map("allow", subscribe)));
  }

  private static Map<String, Object> map(Object... namesAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      map.put(namesAndValues[i].toString(), namesAndValues[i + 1]);
    }
    return map;
  }
}
