package dev.uplift.services.enrolment;

import dev.uplift.services.ServerIntervals;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.store.enrolment.EnrolmentRepository;
import io.micronaut.context.annotation.Factory;
import io.micronaut.context.annotation.Requires;
import jakarta.inject.Singleton;

/// Creates the [RevocationPublisher] of a server that hosts may join, with a NATS connection of its own to the system
/// account, which account claims are published from.
@Factory
@Requires(beans = EnrolmentSettings.class)
final class EnrolmentFactory {
  @Singleton
  RevocationPublisher revocationPublisher(
      EnrolmentSettings settings,
      NatsSettings natsSettings,
      EnrolmentRepository enrolments,
      MonotonicClock clock,
      ServerIntervals intervals) {
    return new RevocationPublisher(
        new NatsConnection(natsSettings, settings::readSystemCredentials, clock),
        enrolments,
        settings,
        RevocationPublisher.REQUEST_TIMEOUT,
        intervals.reconcileEvery());
  }
}
