package dev.uplift.activities.device;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.nats.CommandSlot;
import dev.uplift.activities.nats.NatsAway;
import dev.uplift.activities.temporal.Fate;
import dev.uplift.activities.temporal.Fates;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Subjects;
import dev.uplift.store.Commands;
import dev.uplift.store.DatabaseAway;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import dev.uplift.store.TimelineEntry;
import dev.uplift.store.UpgradeRow;
import dev.uplift.store.Upgrades;
import dev.uplift.workflows.device.Ending;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Closes the rows of upgrades whose workflow cannot do it any more: somebody has terminated it, or
/// Temporal has forgotten it. What no host has acted upon yet is taken back.
public final class Reconciler {
  private static final Logger LOG = LoggerFactory.getLogger(Reconciler.class);
  private static final PageRequest PAGE = PageRequest.first(100);

  private final Upgrades upgrades;
  private final Commands commands;
  private final Fates fates;
  private final CommandSlot slot;
  private final Duration young;

  /// Leaves alone what was begun within the time `young`.
  Reconciler(Upgrades upgrades, Commands commands, Fates fates, CommandSlot slot, Duration young) {
    this.upgrades = upgrades;
    this.commands = commands;
    this.fates = fates;
    this.slot = slot;
    this.young = young;
  }

  /// Looks at every row that has been open for a while. What cannot be found out now stays as it is
  /// until the next time; any number of servers may do so at once.
  public void run() {
    try {
      Optional<PageRequest> next = Optional.of(PAGE);
      while (next.isPresent()) {
        Page<UpgradeRow> page = upgrades.open(next.get());
        Instant since = Instant.now().minus(young);
        page.rows().stream().filter(row -> row.startedAt().isBefore(since)).forEach(this::attend);
        next = PAGE.after(page);
      }
    } catch (TemporalAway | DatabaseAway | NatsAway e) {
      LOG.debug("open upgrades are looked at later", e);
    }
  }

  /// A row that cannot be closed for a mistake of ours keeps no other one open.
  private void attend(UpgradeRow row) {
    try {
      settle(row);
    } catch (TemporalAway | DatabaseAway | NatsAway e) {
      throw e;
    } catch (RuntimeException e) {
      LOG.error("upgrade {} of {} cannot be closed", row.id(), row.device(), e);
    }
  }

  private void settle(UpgradeRow row) {
    switch (fates.of(row.device(), row.id())) {
      case Fate.Open() -> {}
      case Fate.Ended(Ending ending) -> end(row, ending);
      case Fate.Lost(String code, String text) -> {
        List<TimelineEntry> sent =
            commands.timeline(row.device().tenant(), row.id()).stream()
                .filter(entry -> !entry.withdrawn())
                .toList();
        takeBack(sent);
        end(row, lost(row, sent, new Reason(Reason.Kind.ABORT, code, text)));
      }
    }
  }

  /// Most have ended by themselves since the row was read.
  private void end(UpgradeRow row, Ending ending) {
    String tenant = row.device().tenant();
    if (upgrades.find(tenant, row.id()).flatMap(UpgradeRow::end).isPresent()) {
      return;
    }
    upgrades.end(tenant, row.id(), Endings.row(ending));
    LOG.warn("upgrade {} of {} is closed as {}", row.id(), row.device(), ending.outcome());
  }

  /// Nobody is there any more to see what comes of it.
  private void takeBack(List<TimelineEntry> sent) {
    sent.stream()
        .filter(entry -> entry.outcome().isEmpty())
        .forEach(entry -> {
          String host = Subjects.host(entry.key().tenant(), entry.key().host().value());
          Set<String> ids =
              Stream.concat(Stream.of(entry.id()), entry.cancelledBy().stream())
                  .collect(Collectors.toSet());
          slot.empty(host, ids);
        });
  }

  private static Ending lost(UpgradeRow row, List<TimelineEntry> sent, Reason reason) {
    // A rollback of what has failed comes after its upgrade.
    Step begins = row.revertOf().isPresent() ? Step.ROLLBACK : Step.UPGRADE;
    Set<HostId> touched =
        sent.stream()
            .filter(entry -> entry.key().step() == begins)
            .map(entry -> entry.key().host())
            .collect(Collectors.toSet());
    List<HostReport> hosts =
        Texts.read(row.plan(), UpgradePlan.class).hosts().stream()
            .map(host ->
                new HostReport(
                    host,
                    touched.contains(host) ? Progress.TOUCHED : Progress.UNTOUCHED,
                    version(host, sent),
                    false,
                    Optional.empty(),
                    before(host, sent)))
            .toList();
    return new Ending(Outcome.ofTerminated(!touched.isEmpty()), Optional.of(reason), hosts);
  }

  /// As the host said it when it was prepared.
  private static Optional<String> before(HostId host, List<TimelineEntry> sent) {
    return sent.stream()
        .filter(entry -> entry.key().host().equals(host) && entry.key().step() == Step.PREPARE)
        .flatMap(entry -> entry.outcome().stream())
        .map(outcome -> Event.read(outcome.getBytes(UTF_8)).version())
        .findFirst();
  }

  /// As the host said it last.
  private static String version(HostId host, List<TimelineEntry> sent) {
    return sent.stream()
        .filter(entry -> entry.key().host().equals(host) && entry.outcome().isPresent())
        .max(Comparator.comparingLong(TimelineEntry::epoch))
        .flatMap(TimelineEntry::outcome)
        .map(outcome -> Event.read(outcome.getBytes(UTF_8)).version())
        .orElse(HostState.UNKNOWN);
  }
}
