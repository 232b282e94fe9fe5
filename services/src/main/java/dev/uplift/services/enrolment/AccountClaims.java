package dev.uplift.services.enrolment;

import dev.uplift.protocol.nats.NatsJwt;
import dev.uplift.protocol.nats.Nkey;
import dev.uplift.store.enrolment.RevokedKey;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What an account may do, as the files of an operator have it, told to NATS with our signature.
///
/// @param claims without when they were issued
/// @param operator signs them
record AccountClaims(ObjectNode claims, Nkey operator) {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /// @param account claims as a ticket; all of it stays but who signs
  static AccountClaims of(String account, Nkey operatorSigningKey) {
    ObjectNode claims = read(account).put("iss", operatorSigningKey.publicKey());
    claims.remove("iat");
    claims.remove("jti");
    return new AccountClaims(claims, operatorSigningKey);
  }

  /// With a list of keys whose tickets are good no more.
  ///
  /// @param revoked named as long as a ticket for them would be good
  static AccountClaims withRevocations(String account, Collection<RevokedKey> revoked, Nkey operatorSigningKey) {
    AccountClaims all = of(account, operatorSigningKey);
    ObjectNode list = MAPPER.createObjectNode();
    // Every ticket that was made until then.
    revoked.forEach(each -> list.put(each.key(), each.jwtExpiresAt().getEpochSecond()));
    ((ObjectNode) all.claims.required("nats")).set("revocations", list);
    return all;
  }

  /// Whether tickets that the key has signed are good in the account.
  static boolean isSigner(String account, Nkey key) {
    return read(account)
        .path("nats")
        .path("signing_keys")
        .valueStream()
        .anyMatch(scope -> scope.path("key").asString("").equals(key.publicKey()));
  }

  private static ObjectNode read(String account) {
    return (ObjectNode) MAPPER.readTree(NatsJwt.claims(account));
  }

  /// Of all but when they were issued.
  String digest() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(MAPPER.writeValueAsBytes(claims));
      return HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// As a ticket. Servers of a cluster that missed it take it from each other: of two with
  /// different ids the one that was issued later.
  String signedAt(long second) {
    ObjectNode all = claims.deepCopy().put("iat", second).put("jti", digest() + "-" + second);
    return NatsJwt.sign(MAPPER.writeValueAsBytes(all), operator);
  }
}
