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
final class Realm {
  private static final Rights ALL = new Rights(List.of(">"), List.of(">"), -1, -1);

  private final Nkey operator = Nkey.generate(Nkey.Kind.OPERATOR);
  private final Nkey system = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final Nkey account = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final Nkey hosts = Nkey.generate(Nkey.Kind.ACCOUNT);
  private final Instant now = Instant.now();

  /// What a nats-server says about it in its configuration.
  String configuration() {
    String own =
        ticket(operator, "REHEARSAL", json ->
                json.put("system_account", system.name()).put("type", "operator").put("version", 2))
            .signedBy(operator);
    Consumer<Json> template = Rights.HOST::write;
    Consumer<Json> scope = json -> json.put("kind", "user_scope").put("key", hosts.name())
        .put("role", "host").put("template", template);
    String all = ticket(account, "ALL", json -> account(json.putAll("signing_keys", List.of(scope)), -1))
        .signedBy(operator);
    String inner = ticket(system, "SYSTEM", json -> account(json, 0)).signedBy(operator);
    return """
        operator: "%s"
        system_account: "%s"
        resolver: MEMORY
        resolver_preload: { %s: "%s", %s: "%s" }
        """.formatted(own, system.name(), system.name(), inner, account.name(), all);
  }

  private Ticket ticket(Nkey subject, String name, Consumer<Json> claims) {
    return new Ticket(subject.name(), name, now, Optional.empty(), claims);
  }

  private static void account(Json json, long jetStream) {
    Consumer<Json> limits = inner -> {
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

  /// What one logs in with who may do everything.
  Path server(Path file) throws Exception {
    Nkey key = Nkey.generate(Nkey.Kind.USER);
    String ticket = new Tickets(account.name(), now).user(key.name(), "server", ALL).signedBy(account);
    return Files.writeString(file, new Credentials(ticket, key).text());
  }

  /// The ticket of the host, made so long ago.
  String host(String key, Duration age) {
    Instant made = Instant.now().minus(age);
    return new Tickets(account.name(), made)
        .host(key, Site.TENANT, Site.HOST, made.plus(Duration.ofDays(30)))
        .signedBy(hosts);
  }
}
