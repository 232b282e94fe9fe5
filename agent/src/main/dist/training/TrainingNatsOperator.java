import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Permissions;
import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.UserJwtFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// An operator of NATS with one account, and the tickets of that: hosts log in as in the field.
final class TrainingNatsOperator {
  private static final Permissions ALL = new Permissions(List.of(">"), List.of(">"), -1, -1);

  private final Nkey operator = Nkey.generate(Nkey.Kind.OPERATOR);
  private final Nkey system = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final Nkey account = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final Nkey hosts = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final Instant now = Instant.now();

  /// Returns its part of the configuration of a nats-server.
  String configuration() {
    String own =
        jwt(operator, "TRAINING", json ->
                json.put("system_account", system.publicKey()).put("type", "operator").put("version", 2))
            .sign(operator);
    Consumer<JsonWriter> template = Permissions.HOST::write;
    Consumer<JsonWriter> scope = json -> json.put("kind", "user_scope").put("key", hosts.publicKey())
        .put("role", "host").put("template", template);
    String all = jwt(account, "ALL", json -> account(json.putAll("signing_keys", List.of(scope)), -1))
        .sign(operator);
    String inner = jwt(system, "SYSTEM", json -> account(json, 0)).sign(operator);
    return """
        operator: "%s"
        system_account: "%s"
        resolver: MEMORY
        resolver_preload: { %s: "%s", %s: "%s" }
        """.formatted(own, system.publicKey(), system.publicKey(), inner, account.publicKey(), all);
  }

  private NatsJwt jwt(Nkey subject, String name, Consumer<JsonWriter> claims) {
    return new NatsJwt(subject.publicKey(), name, now, Optional.empty(), claims);
  }

  private static void account(JsonWriter json, long jetStream) {
    Consumer<JsonWriter> limits = inner -> {
      for (String name : List.of("subs", "data", "payload", "imports", "exports", "conn", "leaf")) {
        inner.put(name, -1);
      }
      inner.put("wildcards", true);
      for (String name : List.of("mem_storage", "disk_storage", "streams", "consumer")) {
        inner.put(name, jetStream);
      }
    };
    json.put("limits", limits).put("type", "account").put("version", 2);
  }

  /// Returns credentials with all permissions.
  Path serverCredentials(Path file) throws Exception {
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    String userJwt = new UserJwtFactory(account.publicKey(), now).user(key.publicKey(), "server", ALL).sign(account);
    return Files.writeString(file, new Credentials(userJwt, key).format());
  }

  /// The ticket of the host, made so long ago.
  String hostJwt(String key, Duration age) {
    Instant made = Instant.now().minus(age);
    return new UserJwtFactory(account.publicKey(), made)
        .host(key, TrainingServer.TENANT, TrainingServer.HOST, made.plus(Duration.ofDays(30)))
        .sign(hosts);
  }
}
