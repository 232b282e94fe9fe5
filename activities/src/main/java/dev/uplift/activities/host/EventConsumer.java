package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.temporal.ActivityCompleter;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Event.Accepted;
import dev.uplift.protocol.Event.Outcome;
import dev.uplift.protocol.Event.Progress;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.services.messaging.BatchWriter;
import dev.uplift.services.messaging.LatestCommandStream;
import dev.uplift.services.messaging.MessageOrigin;
import dev.uplift.services.messaging.NatsUnavailable;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the waits that [HostStepsActivities] began. Remembers nothing: who waits stands in the
/// tables, and what cannot be handed over yet goes back to the stream. What an agent says before
/// its outcome is for people, and is written down with others.
public final class EventConsumer {
  private static final Logger LOG = LoggerFactory.getLogger(EventConsumer.class);

  /// Long enough not to press servers that are coming back.
  private static final Duration REDELIVERY_DELAY = Duration.ofSeconds(5);

  private final CommandRepository commands;
  private final LatestCommandStream commandStream;
  private final ActivityCompleter activityCompleter;
  private final BatchWriter batchWriter;
  private final RejectedMessages rejectedMessages;

  EventConsumer(
      CommandRepository commands,
      LatestCommandStream commandStream,
      ActivityCompleter activityCompleter,
      BatchWriter batchWriter,
      RejectedMessages rejectedMessages) {
    this.commands = commands;
    this.commandStream = commandStream;
    this.activityCompleter = activityCompleter;
    this.batchWriter = batchWriter;
    this.rejectedMessages = rejectedMessages;
  }

  /// Takes what an agent says about a command. Safe to repeat: the first valid outcome wins.
  public void accept(Message message) {
    try {
      process(message, MessageOrigin.of(message.getSubject()));
    } catch (MalformedMessage e) {
      // Nobody will ever be able to place it, so it is not brought again.
      rejectedMessages.record("event", message.getSubject(), e.getMessage());
      message.term();
    } catch (TemporalUnavailable | DatabaseUnavailable | NatsUnavailable e) {
      LOG.debug("an answer is handed over later", e);
      message.nakWithDelay(REDELIVERY_DELAY);
    }
  }

  private void process(Message message, MessageOrigin messageOrigin) {
    byte[] bytes = message.getData();
    Event event = Event.read(bytes);
    String tenant = messageOrigin.tenant();
    HostId host = messageOrigin.host();
    String id = event.commandId();
    Instant now = Instant.now();
    switch (event.content()) {
      case Accepted() -> batchWriter.enqueue(message, () -> commands.recordAccepted(tenant, host, id, now));
      case Progress progress ->
          batchWriter.enqueue(message, () -> commands.recordProgress(tenant, host, id, describe(progress)));
      case Outcome _ -> {
        recordOutcome(messageOrigin, id, new String(bytes, UTF_8));
        message.ack();
      }
    }
  }

  private static String describe(Progress progress) {
    String percent = progress.percent() < 0 ? "" : " (" + progress.percent() + " %)";
    return progress.step() + (progress.text().isEmpty() ? "" : ": " + progress.text()) + percent;
  }

  /// No command of ours, or a host that answers for another, is as good as not said.
  private void recordOutcome(MessageOrigin messageOrigin, String command, String outcome) {
    CommandRow row =
        commands
            .recordOutcome(messageOrigin.tenant(), messageOrigin.host(), command, outcome)
            .orElseThrow(() -> new MalformedMessage("command_id: expected a command to this host"))
            .row();
    Optional<String> counts = row.outcome();
    if (row.waiter().isPresent() && counts.isPresent()) {
      // Where nobody waits any more the row has it for those who ask.
      activityCompleter.complete(
          row.waiter().get().workflowId(),
          row.waiter().get().activityId(),
          StepResultMapper.fromOutcome(counts.get()));
    }
    commandStream.purge(Subjects.hostAddress(messageOrigin.tenant(), messageOrigin.host().value()), commandIds(row));
  }

  private static Set<String> commandIds(CommandRow row) {
    return Stream.concat(Stream.of(row.id()), row.cancel().map(SignedCommand::id).stream())
        .collect(Collectors.toSet());
  }
}
