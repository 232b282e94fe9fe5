package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Event.Accepted;
import dev.uplift.protocol.Event.Outcome;
import dev.uplift.protocol.Event.Progress;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.LogContext;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.MessageOrigin;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.command.CommandReport;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.OutcomeRecorded;
import dev.uplift.store.command.SignedCommand;
import io.nats.client.Message;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Completes the activities of [HostStepsActivities] when their host has answered. Stateless: the tables have the
/// waiting activities, and an event that cannot be processed yet is redelivered. Events before the outcome are for
/// people, and are written in batches.
@Singleton
public final class EventConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  /// Long enough not to overload servers that are starting.
  private static final Duration REDELIVERY_DELAY = Duration.ofSeconds(5);

  private static final String STALE_EPOCH = "stale-epoch";

  private final CommandRepository commands;
  private final LatestCommandStream commandStream;
  private final ActivityCompleter activityCompleter;
  private final HostObserver observer;
  private final BatchWriter batchWriter;
  private final BatchWriter.RowWriter<CommandReport> reportWriter;
  private final RejectedMessages rejectedMessages;
  private final UpgradeMetrics metrics;
  private final StepSpans spans;

  EventConsumer(
      CommandRepository commands,
      LatestCommandStream commandStream,
      ActivityCompleter activityCompleter,
      HostObserver observer,
      BatchWriter batchWriter,
      RejectedMessages rejectedMessages,
      UpgradeMetrics metrics,
      StepSpans spans) {
    this.commands = commands;
    this.commandStream = commandStream;
    this.activityCompleter = activityCompleter;
    this.observer = observer;
    this.batchWriter = batchWriter;
    this.reportWriter = BatchWriter.RowWriter.acknowledging("command", commands::record);
    this.rejectedMessages = rejectedMessages;
    this.metrics = metrics;
    this.spans = spans;
  }

  /// Processes an event about a command. Safe to repeat: the first valid outcome wins.
  public void accept(Message message) {
    try {
      process(message, MessageOrigin.of(message.getSubject()));
    } catch (MalformedMessage e) {
      // It will never be understood, so it is not redelivered.
      rejectedMessages.record("event", message.getSubject(), e.getMessage());
      message.term();
    } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
      LOG.debug("an event is redelivered later", e);
      message.nakWithDelay(REDELIVERY_DELAY);
    }
  }

  private void process(Message message, MessageOrigin messageOrigin) {
    try (LogContext _ = LogContext.ofHost(messageOrigin.tenant(), messageOrigin.host().value())) {
      processEvent(message, messageOrigin);
    }
  }

  private void processEvent(Message message, MessageOrigin messageOrigin) {
    byte[] bytes = message.getData();
    Event event = Event.read(bytes);
    String tenant = messageOrigin.tenant();
    HostId host = messageOrigin.host();
    String id = event.commandId();
    Instant now = Instant.now();
    switch (event.content()) {
      case Accepted() -> batchWriter.enqueue(message, reportWriter, CommandReport.accepted(tenant, host, id, now));
      case Progress progress ->
          batchWriter.enqueue(message, reportWriter, CommandReport.progress(tenant, host, id, describe(progress)));
      case Outcome _ -> {
        recordOutcome(messageOrigin, event, traceHeader(message));
        message.ack();
      }
    }
  }

  private static @Nullable String traceHeader(Message message) {
    return message.hasHeaders() ? message.getHeaders().getFirst(Command.TRACE_HEADER) : null;
  }

  private static String describe(Progress progress) {
    String percent = progress.percent() < 0 ? "" : " (" + progress.percent() + " %)";
    return progress.step() + (progress.text().isEmpty() ? "" : ": " + progress.text()) + percent;
  }

  /// Unknown commands, and answers from the wrong host, are rejected.
  private void recordOutcome(MessageOrigin messageOrigin, Event event, @Nullable String traceHeader) {
    if (event.content() instanceof Outcome(Failed(String code, _, _), _) && code.equals(STALE_EPOCH)) {
      // The tables are an older copy, or somebody else has sent commands: the next one is above it.
      commands.raiseEpoch(messageOrigin.tenant(), messageOrigin.host(), event.epoch());
    }
    String outcome = new String(event.withoutLog().write(), UTF_8);
    OutcomeRecorded recorded =
        commands
            .recordOutcome(messageOrigin.tenant(), messageOrigin.host(), event.commandId(), outcome, event.log())
            .orElseThrow(() -> new MalformedMessage("command_id: expected a command to this host"));
    CommandRow row = recorded.row();
    if (recorded.isFirst()) {
      Instant now = Instant.now();
      metrics.recordAnswer(row, now);
      spans.record(row, traceHeader, now);
    }
    Optional<String> counts = row.outcome();
    if (row.waiter().isPresent() && counts.isPresent()) {
      // If the activity waits no longer, the row still has the outcome.
      activityCompleter.complete(
          row.waiter().get().workflowId(),
          row.waiter().get().activityId(),
          observer.withHeartbeat(row, StepResultMapper.fromOutcome(counts.get())));
    }
    commandStream.purge(Subjects.hostAddress(messageOrigin.tenant(), messageOrigin.host().value()), commandIds(row));
  }

  private static Set<String> commandIds(CommandRow row) {
    return Stream.concat(Stream.of(row.id()), row.cancel().map(SignedCommand::id).stream()).collect(Collectors.toSet());
  }
}
