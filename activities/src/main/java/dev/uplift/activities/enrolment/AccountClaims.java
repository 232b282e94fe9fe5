package dev.uplift.activities.enrolment;

import dev.uplift.protocol.nats.Nkey;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.store.Revoked;
import java.time.Instant;
import java.util.Collection;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// What the hosts' account may do, with a list of keys whose tickets are good no more.
final class AccountClaims {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private AccountClaims() {}

  /// @param account claims as a ticket; all of it stays but what was revoked, and who signs
  /// @param revoked named as long as a ticket for them would be good
  static String without(String account, Collection<Revoked> revoked, Nkey operator, Instant now) {
    ObjectNode claims = (ObjectNode) MAPPER.readTree(Ticket.claims(account));
    claims.put("iat", now.getEpochSecond()).put("iss", operator.name());
    claims.remove("jti");
    ObjectNode list = MAPPER.createObjectNode();
    // Every ticket that was made until then.
    revoked.forEach(each -> list.put(each.key(), each.expires().getEpochSecond()));
    ((ObjectNode) claims.required("nats")).set("revocations", list);
    return Ticket.sign(MAPPER.writeValueAsBytes(claims), operator);
  }
}
