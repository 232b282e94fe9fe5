package dev.uplift.protocol.nats;

import dev.uplift.protocol.Json;
import dev.uplift.protocol.Subjects;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The tickets of users of one account.
///
/// @param account public name of its key
/// @param now when they are made
public record Tickets(String account, Instant now) {

  /// Of a host. It has the rights of the scoped key that signs it, [Rights#HOST], and can be given
  /// no others.
  public Ticket host(String key, String tenant, String host, Instant end) {
    return scoped(key, Subjects.host(tenant, host), tenant, end);
  }

  /// Of one who plays hosts of a tenant. As that of a host, with [Rights#FLEET].
  public Ticket fleet(String key, String tenant, Instant end) {
    return scoped(key, tenant, tenant, end);
  }

  private Ticket scoped(String key, String name, String tenant, Instant end) {
    return new Ticket(
        key,
        name,
        now,
        Optional.of(end),
        json -> {
          Consumer<Json> nothing = _ -> {};
          json.put("pub", nothing).put("sub", nothing);
          json.put("tags", List.of("tenant:" + tenant));
          user(json);
        });
  }

  /// Of a user with rights of its own; signed by the account, or a key of it without a scope.
  public Ticket user(String key, String name, Rights rights) {
    return new Ticket(
        key,
        name,
        now,
        Optional.empty(),
        json -> {
          rights.write(json);
          user(json);
        });
  }

  private void user(Json json) {
    json.put("issuer_account", account).put("type", "user").put("version", 2);
  }
}
