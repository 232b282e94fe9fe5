package dev.uplift.services.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.HostId;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.services.Repositories;
import dev.uplift.services.messaging.HostMessages;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.store.command.CommandRow;
import java.time.Instant;

/// Removes the state of a host whose identity was replaced or revoked: its commands, its reports, and the waits for it.
/// Safe to repeat.
final class HostStateCleaner {
  static final String CODE = "re-enrolled";
  private static final String TEXT = "another system has enrolled as this host";

  private final Repositories repositories;
  private final HostMessages hostMessages;
  private final WaitingActivities waitingActivities;

  HostStateCleaner(Repositories repositories, NatsConnection nats, WaitingActivities waitingActivities) {
    this.repositories = repositories;
    this.hostMessages = new HostMessages(nats);
    this.waitingActivities = waitingActivities;
  }

  /// Removes the state.
  ///
  /// @throws dev.uplift.services.messaging.NatsUnavailable if it was not done; may be tried again
  /// @throws RuntimeException if Temporal is unavailable; may be tried again
  void clean(String tenant, HostId host) {
    hostMessages.purge(Subjects.hostAddress(tenant, host.value()));
    repositories.hosts().clearReports(tenant, host);
    for (CommandRow open : repositories.commands().findOpen(tenant, host)) {
      failCommand(tenant, host, open);
    }
    repositories
        .heartbeatWaits()
        .find(tenant, host)
        .ifPresent(heartbeatWait -> {
          waitingActivities.fail(heartbeatWait.waiter(), CODE, TEXT);
          repositories.heartbeatWaits().remove(heartbeatWait);
        });
  }

  private void failCommand(String tenant, HostId host, CommandRow open) {
    repositories.commands().recordOutcome(tenant, host, open.id(), outcome(open));
    open.waiter().ifPresent(waiting -> waitingActivities.fail(waiting, CODE, TEXT));
  }

  private static String outcome(CommandRow open) {
    var failed = new CommandResult.Failed(CODE, WireErrorClass.FINAL, TEXT);
    Event event =
        new Event(
            open.id(), open.epoch(), "", "unknown", "unknown", "", false, Instant.now(), new Event.Outcome(failed, ""));
    return new String(event.write(), UTF_8);
  }
}
