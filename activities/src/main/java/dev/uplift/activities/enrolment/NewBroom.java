package dev.uplift.activities.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.links.Links;
import dev.uplift.activities.links.Tables;
import dev.uplift.activities.nats.HostSlots;
import dev.uplift.activities.temporal.Completions;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.CommandRow;
import dev.uplift.workflows.device.Answer;
import java.time.Instant;

/// Clears away what a host had left that is another one now, or none any more: what waits for it,
/// what it said, and who waits for its word. Safe to repeat.
final class NewBroom {
  static final String CODE = "re-enrolled";
  private static final String TEXT = "another system has joined as this host";

  private final Tables tables;
  private final HostSlots slots;
  private final Completions completions;

  NewBroom(Tables tables, Links links) {
    this.tables = tables;
    this.slots = new HostSlots(links.nats());
    this.completions = new Completions(links.temporal());
  }

  /// @throws dev.uplift.activities.nats.NatsAway where that was not done; may be tried again
  /// @throws dev.uplift.activities.temporal.TemporalAway as well
  void sweep(String tenant, HostId host) {
    slots.clear(Subjects.host(tenant, host.value()));
    tables.hosts().forgetWords(tenant, host);
    for (CommandRow open : tables.commands().open(tenant, host)) {
      end(tenant, host, open);
    }
    tables
        .expectations()
        .find(tenant, host)
        .ifPresent(expected -> {
          var answer = new Answer.Failed(CODE, dev.uplift.fleet.ErrorClass.FINAL, TEXT);
          completions.end(expected.waiter().workflowId(), expected.waiter().activityId(), answer);
          tables.expectations().remove(expected);
        });
  }

  private void end(String tenant, HostId host, CommandRow open) {
    tables.commands().settle(tenant, host, open.id(), outcome(open));
    open.waiter()
        .ifPresent(waiter ->
            completions.end(
                waiter.workflowId(),
                waiter.activityId(),
                new Answer.Failed(CODE, dev.uplift.fleet.ErrorClass.FINAL, TEXT)));
  }

  private static String outcome(CommandRow open) {
    var failed = new Result.Failed(CODE, ErrorClass.FINAL, TEXT);
    Event event =
        new Event(
            open.id(),
            open.epoch(),
            "",
            "unknown",
            "unknown",
            "",
            false,
            Instant.now(),
            new Event.Outcome(failed, ""));
    return new String(event.write(), UTF_8);
  }
}
