package dev.uplift.activities.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Comparator.comparing;

import dev.uplift.activities.nats.Backlog;
import dev.uplift.activities.nats.LinkState;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.presence.HeardBeat;
import dev.uplift.activities.presence.HostBeats;
import dev.uplift.activities.presence.InstanceBeats;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.presence.Seen;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Release;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.CommandRow;
import dev.uplift.store.Commands;
import dev.uplift.store.Expectation;
import dev.uplift.store.Settled;
import dev.uplift.store.TimelineEntry;
import dev.uplift.store.Waiter;
import dev.uplift.workflows.device.Answer;
import dev.uplift.workflows.device.Order;
import dev.uplift.workflows.device.Sight;
import java.time.Instant;
import java.util.Optional;

/// What we know of an order and its host without asking it.
final class Sights {
  private final CommandBook book;
  private final Commands commands;
  private final Backlog backlog;
  private final Presence presence;
  private final NatsLink link;

  Sights(CommandBook book, Commands commands, Backlog backlog, Presence presence, NatsLink link) {
    this.book = book;
    this.commands = commands;
    this.backlog = backlog;
    this.presence = presence;
    this.link = link;
  }

  /// What is known now.
  ///
  /// @throws NotKnownYet where the reason might be ours
  Sight of(Order order) {
    Optional<Answer> said = said(order);
    LinkState state = link.state();
    String tenant = order.device().tenant();
    return switch (presence.of(tenant, order.host())) {
      case Seen.Alive(HeardBeat newest) ->
          new Sight(said, shown(order), false, newest.at(), state.since());
      case Seen.Silent(Instant since) ->
          new Sight(said, Optional.empty(), true, since, state.since());
      case Seen.Unknown(Instant since) -> {
        if (said.isEmpty()) {
          throw new NotKnownYet("NATS was away: listening again since " + since);
        }
        yield new Sight(said, Optional.empty(), false, since, since);
      }
    };
  }

  /// What the host has said to it, taken in or not.
  private Optional<Answer> said(Order order) {
    Optional<CommandRow> row = book.find(order);
    return row.flatMap(Answers::known).or(() -> row.flatMap(found -> saidJustNow(order, found)));
  }

  private Optional<Answer> saidJustNow(Order order, CommandRow row) {
    String tenant = order.device().tenant();
    String host = Subjects.host(tenant, order.host().value());
    return backlog.of(host).stream()
        .filter(event -> isOutcome(event, row.id()))
        .findFirst()
        .flatMap(event -> commands.settle(tenant, order.host(), row.id(), new String(event, UTF_8)))
        .map(Settled::row)
        .flatMap(Answers::known);
  }

  private static boolean isOutcome(byte[] bytes, String command) {
    try {
      Event event = Event.read(bytes);
      return event.commandId().equals(command) && event.said() instanceof Event.Outcome;
    } catch (MalformedMessage _) {
      // The bridge refuses it, and counts it.
      return false;
    }
  }

  private Optional<HostState> shown(Order order) {
    String tenant = order.device().tenant();
    HostBeats beats = presence.beats(tenant, order.host());
    // Nobody waits: this is held against what was heard, as a wait would be.
    Expectation expected = expectation(order, new Waiter("", ""));
    return beats.all().stream()
        .map(InstanceBeats::newest)
        .filter(beat -> beat.at().isAfter(presence.silentUpTo()))
        .filter(beat -> Watch.counts(expected, beats, beat))
        .max(comparing(HeardBeat::at))
        .map(beat -> Answers.shown(beat.beat(), order.release().packageName()));
  }

  /// What has to be seen of the host for the order.
  Expectation expectation(Order order, Waiter waiter) {
    return new Expectation(
        order.device().tenant(),
        order.host(),
        order.step(),
        new Release(order.release().packageName(), order.wanted()),
        order.bootBefore(),
        answeredBy(order),
        order.instance().orElse(""),
        waiter);
  }

  /// The agent that has answered last. Empty where another one has to be there by now: the host has
  /// booted since, or that one has made way.
  private String answeredBy(Order order) {
    if (order.instance().isPresent()) {
      return "";
    }
    return commands.timeline(order.device().tenant(), order.upgrade()).stream()
        .filter(entry -> entry.key().host().equals(order.host()) && entry.outcome().isPresent())
        .max(comparing(entry -> entry.times().settled().orElse(Instant.MIN)))
        .flatMap(TimelineEntry::outcome)
        .map(outcome -> Event.read(outcome.getBytes(UTF_8)))
        .filter(event -> !event.bootId().equals(order.bootBefore()))
        .map(Event::instance)
        .orElse("");
  }
}
