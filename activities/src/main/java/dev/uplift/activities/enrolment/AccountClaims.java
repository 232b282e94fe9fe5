package dev.uplift.activities.enrolment;

import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.store.Revoked;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Collection;
import java.util.HexFormat;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What the hosts' account may do, with a list of keys whose tickets are good no more.
///
/// @param claims without when they were issued
/// @param operator signs them
record AccountClaims(ObjectNode claims, Nkey operator) {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  /// @param account claims as a ticket; all of it stays but what was revoked, and who signs
  /// @param revoked named as long as a ticket for them would be good
  static AccountClaims without(String account, Collection<Revoked> revoked, Nkey operator) {
    ObjectNode claims = (ObjectNode) MAPPER.readTree(Ticket.claims(account));
    claims.put("iss", operator.name());
    claims.remove("iat");
    claims.remove("jti");
    ObjectNode list = MAPPER.createObjectNode();
    // Every ticket that was made until then.
    revoked.forEach(each -> list.put(each.key(), each.expires().getEpochSecond()));
    ((ObjectNode) claims.required("nats")).set("revocations", list);
    return new AccountClaims(claims, operator);
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
  String issued(long second) {
    ObjectNode all = claims.deepCopy().put("iat", second).put("jti", digest() + "-" + second);
    return Ticket.sign(MAPPER.writeValueAsBytes(all), operator);
  }
}
