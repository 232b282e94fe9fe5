package dev.uplift.services.enrolment;

import dev.uplift.services.Repositories;
import dev.uplift.services.messaging.MonotonicClock;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.store.Database;
import dev.uplift.store.enrolment.EnrolmentRepository;

/// Creates the parts of this package, with a NATS connection of their own.
///
/// @param systemConnection to the system account, which account claims are published from
public record EnrolmentFactory(
    EnrolmentService service, RevocationPublisher revocations, NatsConnection systemConnection)
    implements AutoCloseable {

  public static EnrolmentFactory create(
      EnrolmentSettings settings,
      NatsSettings natsSettings,
      Database database,
      Repositories repositories,
      NatsConnection nats,
      WaitingActivities waitingActivities) {
    var clock = new MonotonicClock();
    var enrolmentRepository = database.repository(EnrolmentRepository.class);
    var systemConnection =
        new NatsConnection(natsSettings.withCredentials(settings.systemCredentials()), clock);
    var revocationPublisher =
        new RevocationPublisher(
            systemConnection, enrolmentRepository, settings, RevocationPublisher.REQUEST_TIMEOUT);
    systemConnection.addInitializer(revocationPublisher);
    systemConnection.start();
    return new EnrolmentFactory(
        new EnrolmentService(
            settings,
            enrolmentRepository,
            revocationPublisher,
            repositories,
            nats,
            waitingActivities),
        revocationPublisher,
        systemConnection);
  }

  @Override
  public void close() {
    systemConnection.close();
  }
}
