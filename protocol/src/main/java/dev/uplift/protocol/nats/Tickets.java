package dev.uplift.protocol.nats;

import dev.uplift.protocol.Json;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;

/// The tickets of users.
public final class Tickets {
  private Tickets() {}

  /// Of a user whose rights are those of the scoped key that signs: it can be given no others.
  ///
  /// @param account whose user it is
  public static Ticket scoped(
      String key, String name, String account, Instant now, Instant expires) {
    return new Ticket(
        key,
        name,
        now,
        Optional.of(expires),
        json -> {
          Consumer<Json> nothing = _ -> {};
          json.put("pub", nothing).put("sub", nothing);
          user(json, account);
        });
  }

  /// Of a user with rights of its own; signed by its account, or a key of the account without a
  /// scope.
  public static Ticket free(String key, String name, String account, Instant now, Rights rights) {
    return new Ticket(
        key,
        name,
        now,
        Optional.empty(),
        json -> {
          rights.write(json);
          user(json, account);
        });
  }

  private static void user(Json json, String account) {
    json.put("issuer_account", account).put("type", "user").put("version", 2);
  }
}
