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
final class NatsConfig {
  private static final String COMMANDS = "device-cmd.*.*";
  private static final List<String> SERVICES =
      List.of(
          "device-state.*.*.upgrade",
          "device-state.*.*.info",
          "device-heartbeat.*.*.*",
          "$JS.API.DIRECT.GET.CMD.device-cmd.*.*",
          "$JS.API.DIRECT.GET.STATE.device-state.*.*.info");

  private NatsConfig() {}

  static String of(String name, int port, Path store, Secrets secrets, Collection<String> tenants) {
    Map<String, Object> config = new LinkedHashMap<>();
    config.put("server_name", name);
    config.put("listen", "127.0.0.1:" + port);
    // The streams' own limits count; the default would refuse them where the disk is small.
    config.put("jetstream", Map.of("store_dir", store.toString(), "max_file_store", 1L << 40));
    config.put(
        "accounts",
        Map.of(
            "UPLIFT", uplift(secrets),
            "DEVICES", devices(secrets, tenants)));
    return Json.write(config) + "\n";
  }

  private static Map<String, Object> uplift(Secrets secrets) {
    List<Map<String, Object>> exports =
        Stream.concat(
                Stream.of(
                    Map.<String, Object>of("stream", COMMANDS, "accounts", List.of("DEVICES"))),
                SERVICES.stream()
                    .map(subject ->
                        Map.<String, Object>of("service", subject, "accounts", List.of("DEVICES"))))
            .toList();
    return Map.of(
        "jetstream",
        "enabled",
        "users",
        List.of(
            user(
                "uplift",
                secrets,
                List.of("device-cmd.*.*", "$JS.API.>", "$JS.ACK.>", "$JS.FC.>"),
                List.of("_INBOX.>", "device-heartbeat.>", "device-state.>", "$JS.EVENT.>"))),
        "exports",
        exports);
  }

  private static Map<String, Object> devices(Secrets secrets, Collection<String> tenants) {
    List<Map<String, Object>> imports =
        Stream.concat(
                Stream.of(Map.<String, Object>of("stream", from(COMMANDS))),
                SERVICES.stream().map(subject -> Map.<String, Object>of("service", from(subject))))
            .toList();
    return Map.of(
        "users",
        tenants.stream().map(tenant -> deviceUser(tenant, secrets)).toList(),
        "imports",
        imports);
  }

  private static Map<String, Object> from(String subject) {
    return Map.of("account", "UPLIFT", "subject", subject);
  }

  private static Map<String, Object> deviceUser(String tenant, Secrets secrets) {
    return user(
        Nats.deviceUser(tenant),
        secrets,
        List.of(
            "device-state." + tenant + ".*.upgrade",
            "device-state." + tenant + ".*.info",
            "device-heartbeat." + tenant + ".*.*",
            "$JS.API.DIRECT.GET.CMD.device-cmd." + tenant + ".*",
            "$JS.API.DIRECT.GET.STATE.device-state." + tenant + ".*.info"),
        List.of("device-cmd." + tenant + ".*", "_INBOX." + tenant + ".>"));
  }

  private static Map<String, Object> user(
      String name, Secrets secrets, List<String> publish, List<String> subscribe) {
    return Map.of(
        "user",
        name,
        "password",
        PrivateFile.read(secrets.password(name)),
        "permissions",
        Map.of("publish", Map.of("allow", publish), "subscribe", Map.of("allow", subscribe)));
  }
}
