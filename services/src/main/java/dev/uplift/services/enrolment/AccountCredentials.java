package dev.uplift.services.enrolment;

import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.NatsJwt;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Credentials of this server, compared with the claims of their account. The server publishes these claims, and locks
/// itself out of NATS if they do not accept its own credentials.
final class AccountCredentials {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private AccountCredentials() {}

  /// Reads credentials.
  ///
  /// @param account claims of their account, as a JWT; empty if they are published by other means
  /// @throws IOException if the file is incomplete, or if NATS would reject it once it has these claims
  static Credentials read(Path file, Optional<String> account) throws IOException {
    Credentials credentials = Credentials.read(file);
    try {
      EnrolmentSettings.requireSignature(credentials.jwt());
      JsonNode user = claims(credentials.jwt());
      if (!user.path("sub").asString("").equals(credentials.key().publicKey())) {
        throw new IllegalArgumentException("expected the key that its JWT names; the file may be incomplete");
      }
      account.ifPresent(jwt -> requireAccepted(user, claims(jwt)));
      return credentials;
    } catch (MalformedMessage | IllegalArgumentException e) {
      throw new IOException(file + ": " + e.getMessage(), e);
    }
  }

  private static JsonNode claims(String jwt) {
    return MAPPER.readTree(NatsJwt.claims(jwt));
  }

  private static void requireAccepted(JsonNode user, JsonNode account) {
    String name = "the account %s (%s)".formatted(account.path("name").asString(""), account.path("sub").asString(""));
    String issuer = user.path("iss").asString("");
    if (!accountOf(user).equals(account.path("sub").asString("")) || !isSigner(issuer, account)) {
      throw new IllegalArgumentException("expected credentials that %s has issued, found %s".formatted(name, issuer));
    }
    long issued = user.path("iat").asLong(0);
    JsonNode revocations = account.path("nats").path("revocations");
    long revokedUntil =
        Stream.of("*", user.path("sub").asString("")).mapToLong(key -> revocations.path(key).asLong(0)).max().orElse(0);
    if (issued <= revokedUntil) {
      throw new IllegalArgumentException(
          "issued at %s, but the claims of %s accept only what was issued after %s; put the newer credentials here, too"
              .formatted(Instant.ofEpochSecond(issued), name, Instant.ofEpochSecond(revokedUntil)));
    }
  }

  private static String accountOf(JsonNode user) {
    return user.path("nats").path("issuer_account").asString(user.path("iss").asString(""));
  }

  /// An account signs with its own key, or with one that its claims list, with a scope or without.
  private static boolean isSigner(String key, JsonNode account) {
    return key.equals(account.path("sub").asString(""))
        || account
            .path("nats")
            .path("signing_keys")
            .valueStream()
            .anyMatch(each -> key.equals(each.asString(each.path("key").asString(""))));
  }
}
