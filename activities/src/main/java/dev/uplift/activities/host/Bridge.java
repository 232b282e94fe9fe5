package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.nats.CommandSlot;
import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.nats.Notebook;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.nats.Sender;
import dev.uplift.activities.temporal.Completions;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.HostId;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Event.Accepted;
import dev.uplift.protocol.Event.Outcome;
import dev.uplift.protocol.Event.Progress;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.CommandRow;
import dev.uplift.store.Commands;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.Written;
import io.nats.client.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Ends the waits that [HostStepsOverNats] began. Remembers nothing: who waits stands in the
/// tables, and what cannot be handed over yet goes back to the stream. What an agent says before
/// its outcome is for people, and is written down with others.
public final class Bridge {
  private static final Logger LOG = LoggerFactory.getLogger(Bridge.class);

  /// Long enough not to press servers that are coming back.
  private static final Duration LATER = Duration.ofSeconds(5);

  private final Commands commands;
  private final CommandSlot slot;
  private final Completions completions;
  private final Notebook notebook;
  private final Refusals refusals;

  Bridge(
      Commands commands,
      CommandSlot slot,
      Completions completions,
      Notebook notebook,
      Refusals refusals) {
    this.commands = commands;
    this.slot = slot;
    this.completions = completions;
    this.notebook = notebook;
    this.refusals = refusals;
  }

  /// Takes what an agent says about a command. Safe to repeat: the first valid outcome wins.
  public void accept(Message message) {
    try {
      take(message, Sender.of(message.getSubject()));
    } catch (MalformedMessage e) {
      // Nobody will ever be able to place it, so it is not brought again.
      refusals.refuse("event", message.getSubject(), e.getMessage());
      message.term();
    } catch (TemporalAway | DatabaseAway | NatsAway e) {
      LOG.debug("an answer is handed over later", e);
      message.nakWithDelay(LATER);
    }
  }

  private void take(Message message, Sender sender) {
    byte[] bytes = message.getData();
    Event event = Event.read(bytes);
    String tenant = sender.tenant();
    HostId host = sender.host();
    String id = event.commandId();
    Instant now = Instant.now();
    switch (event.said()) {
      case Accepted() -> notebook.note(message, () -> commands.accepted(tenant, host, id, now));
      case Progress progress ->
          notebook.note(message, () -> commands.progressed(tenant, host, id, inWords(progress)));
      case Outcome _ -> {
        settle(sender, id, new String(bytes, UTF_8));
        message.ack();
      }
    }
  }

  private static String inWords(Progress progress) {
    String percent = progress.percent() < 0 ? "" : " (" + progress.percent() + " %)";
    return progress.step() + (progress.text().isEmpty() ? "" : ": " + progress.text()) + percent;
  }

  /// No command of ours, or a host that answers for another, is as good as not said.
  private void settle(Sender sender, String command, String outcome) {
    CommandRow row =
        commands
            .settle(sender.tenant(), sender.host(), command, outcome)
            .orElseThrow(() -> new MalformedMessage("command_id: expected a command to this host"))
            .row();
    Optional<String> counts = row.outcome();
    if (row.waiter().isPresent() && counts.isPresent()) {
      // Where nobody waits any more the row has it for those who ask.
      completions.end(
          row.waiter().get().workflowId(),
          row.waiter().get().activityId(),
          Answers.said(counts.get()));
    }
    slot.empty(Subjects.host(sender.tenant(), sender.host().value()), ids(row));
  }

  private static Set<String> ids(CommandRow row) {
    return Stream.concat(Stream.of(row.id()), row.cancel().map(Written::id).stream())
        .collect(Collectors.toSet());
  }
}
