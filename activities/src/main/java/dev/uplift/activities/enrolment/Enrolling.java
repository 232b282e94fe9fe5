package dev.uplift.activities.enrolment;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.Ticket;
import dev.uplift.protocol.nats.Tickets;
import dev.uplift.store.Enrolments;
import dev.uplift.store.Joined;
import java.time.Instant;

/// Lets hosts in, and out.
public final class Enrolling {
  private final EnrolmentSettings settings;
  private final Enrolments enrolments;
  private final Revocations revocations;
  private final NewBroom broom;
  private final String account;

  public Enrolling(
      EnrolmentSettings settings,
      Enrolments enrolments,
      Revocations revocations,
      Tables tables,
      Links links) {
    this.settings = settings;
    this.enrolments = enrolments;
    this.revocations = revocations;
    this.broom = new NewBroom(tables, links);
    this.account = Fields.of(Ticket.claims(settings.account())).text("sub");
  }

  public EnrolmentSettings settings() {
    return settings;
  }

  /// A host may have this ticket.
  ///
  /// @param rotate whether it is to take a new key
  public record Entry(HostId host, String jwt, boolean rotate) {}

  /// The host of the token has this key from now on; what was there of another system at its place
  /// is cleared away, and that one's connections are ended. May be asked again by the same key.
  ///
  /// @throws Denied where it may not
  /// @throws dev.uplift.activities.nats.NatsAway where it is not settled; may be asked again
  /// @throws dev.uplift.activities.temporal.TemporalAway as well
  public Entry join(JoinRequest request) throws Denied {
    if (!request.isGenuine()) {
      throw new Denied("signature-wrong", "the request is not signed by the key that it names");
    }
    Instant now = Instant.now();
    Joined.Admitted admitted =
        admitted(
            enrolments.join(
                request.tenant(),
                JoinToken.hash(request.secret()),
                request.key(),
                now.plus(EnrolmentSettings.TICKET)));
    settle(request.tenant(), admitted, request.key());
    return entry(request.tenant(), admitted, request.key(), now);
  }

  /// What was there of another system is gone before the host is given its ticket.
  private void settle(String tenant, Joined.Admitted admitted, String key) {
    if (!admitted.settled()) {
      revocations.bring();
      broom.sweep(tenant, admitted.host());
      enrolments.settle(tenant, key);
    }
  }

  /// The host has another ticket: for its key, or for a new one.
  ///
  /// @throws Denied where its key is not good
  /// @throws dev.uplift.activities.nats.NatsAway where an earlier key may still be good; may be
  ///   asked again
  public Entry renew(RenewRequest request) throws Denied {
    if (!request.isGenuine()) {
      throw new Denied("signature-wrong", "the request is not signed by the key that it names");
    }
    Instant now = Instant.now();
    Instant end = now.plus(EnrolmentSettings.TICKET);
    String tenant = request.tenant();
    var host = new HostId(request.host());
    if (request.newKey().isEmpty()) {
      Joined.Admitted admitted = admitted(enrolments.renew(tenant, host, request.key(), end));
      settle(tenant, admitted, request.key());
      revocations.bringIfUp();
      return entry(tenant, admitted, request.key(), now);
    }
    Joined.Admitted admitted =
        admitted(enrolments.rotate(tenant, host, request.key(), request.newKey(), end));
    settle(tenant, admitted, request.newKey());
    return entry(tenant, admitted, request.newKey(), now);
  }

  private static Joined.Admitted admitted(Joined joined) throws Denied {
    return switch (joined) {
      case Joined.Admitted admitted -> admitted;
      case Joined.Denied(Joined.Why why) -> throw Denied.because(why);
    };
  }

  private Entry entry(String tenant, Joined.Admitted admitted, String key, Instant now) {
    String jwt =
        new Tickets(account, now)
            .host(key, tenant, admitted.host().value(), now.plus(EnrolmentSettings.TICKET))
            .signedBy(settings.hosts());
    return new Entry(admitted.host(), jwt, admitted.rotate());
  }

  /// No key of the host is good any more, and nothing waits for it. Call it once the tables say so.
  ///
  /// @throws dev.uplift.activities.nats.NatsAway where that is not done yet; may be tried again
  public void shutOut(String tenant, HostId host) {
    revocations.bring();
    broom.sweep(tenant, host);
  }
}
