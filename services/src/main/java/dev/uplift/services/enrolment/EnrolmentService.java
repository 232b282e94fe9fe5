package dev.uplift.services.enrolment;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.nats.UserJwtFactory;
import dev.uplift.services.Repositories;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.store.enrolment.EnrolmentRepository;
import dev.uplift.store.enrolment.EnrolmentResult;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;
import java.time.Instant;

/// Admits hosts, renews their credentials, and enforces revocations.
@Requires(beans = EnrolmentSettings.class)
@Singleton
public final class EnrolmentService {
  private final EnrolmentRepository enrolments;
  private final RevocationPublisher revocations;
  private final HostStateCleaner stateCleaner;

  public EnrolmentService(
      EnrolmentRepository enrolments,
      RevocationPublisher revocations,
      Repositories repositories,
      NatsConnection nats,
      WaitingActivities waitingActivities) {
    this.enrolments = enrolments;
    this.revocations = revocations;
    this.stateCleaner = new HostStateCleaner(repositories, nats, waitingActivities);
  }

  /// Returns those in use. They may be replaced at any time, so ask once for several of them.
  public EnrolmentSettings settings() {
    return revocations.settings();
  }

  /// The credentials of a host.
  ///
  /// @param rotate whether the host is to create a new key
  public record Grant(HostId host, String jwt, boolean rotate) {}

  /// Enrols the host of the token with this key. The state and the connections of another system that was this host
  /// before are removed. May be repeated with the same key.
  ///
  /// @throws EnrolmentRejected if it may not enrol
  /// @throws dev.uplift.services.messaging.NatsUnavailable if it is not certain; may be repeated
  /// @throws RuntimeException if Temporal is unavailable; may be repeated
  public Grant join(JoinRequest request) throws EnrolmentRejected {
    if (!request.hasValidSignature()) {
      throw new EnrolmentRejected("invalid-signature", "the request is not signed by the key that it names");
    }
    Instant now = Instant.now();
    EnrolmentResult.Accepted accepted =
        acceptedOrThrow(
            enrolments.enrol(
                request.tenant(),
                JoinToken.hash(request.secret()),
                request.key(),
                now.plus(EnrolmentSettings.JWT_LIFETIME)));
    finishEnrolment(request.tenant(), accepted, request.key());
    return grant(request.tenant(), accepted, request.key(), now);
  }

  /// The state of another system is removed before the host gets its JWT.
  private void finishEnrolment(String tenant, EnrolmentResult.Accepted accepted, String key) {
    if (!accepted.cleaned()) {
      revocations.publish();
      stateCleaner.clean(tenant, accepted.host());
      enrolments.markCleaned(tenant, key);
    }
  }

  /// Issues the next JWT, for the host's key or for a new one.
  ///
  /// @throws EnrolmentRejected if its key is not valid; with a challenge if the request has none that is fresh
  /// @throws dev.uplift.services.messaging.NatsUnavailable if an earlier key may still be valid; may be repeated
  public Grant renew(RenewRequest request) throws EnrolmentRejected {
    if (!request.hasValidSignatures()) {
      throw new EnrolmentRejected("invalid-signature", "the request is not signed by the key that it names");
    }
    Instant now = Instant.now();
    var challenges = new RenewalChallenge(settings().hostSigningKey());
    if (!challenges.isFresh(request, now)) {
      throw EnrolmentRejected.withChallenge(challenges.create(request, now));
    }
    Instant end = now.plus(EnrolmentSettings.JWT_LIFETIME);
    String tenant = request.tenant();
    var host = new HostId(request.host());
    if (request.newKey().isEmpty()) {
      EnrolmentResult.Accepted accepted = acceptedOrThrow(enrolments.renew(tenant, host, request.key(), end));
      finishEnrolment(tenant, accepted, request.key());
      revocations.publishIfConnected();
      return grant(tenant, accepted, request.key(), now);
    }
    EnrolmentResult.Accepted accepted =
        acceptedOrThrow(enrolments.rotate(tenant, host, request.key(), request.newKey(), end));
    finishEnrolment(tenant, accepted, request.newKey());
    return grant(tenant, accepted, request.newKey(), now);
  }

  private static EnrolmentResult.Accepted acceptedOrThrow(EnrolmentResult enrolmentResult) throws EnrolmentRejected {
    return switch (enrolmentResult) {
      case EnrolmentResult.Accepted accepted -> accepted;
      case EnrolmentResult.Rejected(EnrolmentResult.RejectionReason reason) -> throw EnrolmentRejected.of(reason);
    };
  }

  private Grant grant(String tenant, EnrolmentResult.Accepted accepted, String key, Instant now) {
    EnrolmentSettings settings = settings();
    String jwt =
        new UserJwtFactory(settings.deviceAccountKey(), now)
            .host(key, tenant, accepted.host().value(), now.plus(EnrolmentSettings.JWT_LIFETIME))
            .sign(settings.hostSigningKey());
    return new Grant(accepted.host(), jwt, accepted.rotationRequested());
  }

  /// Enforces a recorded revocation: ends the host's connections and everything that waits for it.
  ///
  /// @throws dev.uplift.services.messaging.NatsUnavailable if it is not done yet; may be tried again
  public void enforceRevocation(String tenant, HostId host) {
    revocations.publish();
    stateCleaner.clean(tenant, host);
  }

  /// Ends the connections of all hosts with a revoked key.
  ///
  /// @throws dev.uplift.services.messaging.NatsUnavailable if it is not done yet; it is published once NATS is
  ///   available
  public void publishRevocations() {
    revocations.publish();
  }
}
