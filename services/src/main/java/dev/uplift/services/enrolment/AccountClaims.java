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

/// The claims of a NATS account, from the operator's files, signed and published by this server.
///
/// @param claims without when they were issued
/// @param operator the key that signs them
record AccountClaims(ObjectNode claims, Nkey operator) {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /// @param account claims as a JWT; all of it is kept but the signature
  static AccountClaims of(String account, Nkey operatorSigningKey) {
    ObjectNode claims = read(account).put("iss", operatorSigningKey.publicKey());
    claims.remove("iat");
    claims.remove("jti");
    return new AccountClaims(claims, operatorSigningKey);
  }

  /// Returns the claims with a list of revoked keys.
  ///
  /// @param revoked listed as long as a JWT for them would be valid
  static AccountClaims withRevocations(String account, Collection<RevokedKey> revoked, Nkey operatorSigningKey) {
    AccountClaims all = of(account, operatorSigningKey);
    ObjectNode list = MAPPER.createObjectNode();
    // Every JWT that was issued until then.
    revoked.forEach(each -> list.put(each.key(), each.jwtExpiresAt().getEpochSecond()));
    ((ObjectNode) all.claims.required("nats")).set("revocations", list);
    return all;
  }

  /// Returns whether JWTs that the key has signed are valid in the account.
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

  /// A hash of all but the time of issue.
  String digest() {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(MAPPER.writeValueAsBytes(claims));
      return HexFormat.of().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// Returns the claims as a JWT. Servers of a cluster copy missed claims from each other: of two with different ids,
  /// those issued later.
  String signedAt(long second) {
    ObjectNode all = claims.deepCopy().put("iat", second).put("jti", digest() + "-" + second);
    return NatsJwt.sign(MAPPER.writeValueAsBytes(all), operator);
  }
}
