package dev.uplift.protocol.nats;

import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.JsonWriter;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Creates the user JWTs of one account.
///
/// @param account its public key
/// @param now the time of issue
public record UserJwtFactory(String account, Instant now) {

  /// Of a host. It has the rights of the scoped key that signs it, [Permissions#HOST], and can be given no others.
  public NatsJwt host(String key, String tenant, String host, Instant end) {
    return scoped(key, Subjects.hostAddress(tenant, host), tenant, end);
  }

  /// Creates the user JWT of a simulator of a tenant's hosts, with [Permissions#FLEET].
  public NatsJwt fleet(String key, String tenant, Instant end) {
    return scoped(key, tenant, tenant, end);
  }

  private NatsJwt scoped(String key, String name, String tenant, Instant end) {
    return new NatsJwt(
        key,
        name,
        now,
        Optional.of(end),
        jsonWriter -> {
          Consumer<JsonWriter> nothing = _ -> {};
          jsonWriter.put("pub", nothing).put("sub", nothing);
          jsonWriter.put("tags", List.of("tenant:" + tenant));
          user(jsonWriter);
        });
  }

  /// Of a user with rights of its own; signed by the account, or a key of it without a scope.
  public NatsJwt user(String key, String name, Permissions permissions) {
    return new NatsJwt(
        key,
        name,
        now,
        Optional.empty(),
        jsonWriter -> {
          permissions.write(jsonWriter);
          user(jsonWriter);
        });
  }

  private void user(JsonWriter jsonWriter) {
    jsonWriter.put("issuer_account", account).put("type", "user").put("version", 2);
  }
}
