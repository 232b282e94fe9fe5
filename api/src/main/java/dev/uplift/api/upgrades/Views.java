package dev.uplift.api.upgrades;

import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.temporal.Steering;
import dev.uplift.activities.temporal.TemporalAway;
import dev.uplift.api.hosts.PresenceView;
import dev.uplift.api.json.Shapes;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Phase;
import dev.uplift.store.Commands;
import dev.uplift.store.UpgradeEnd;
import dev.uplift.store.UpgradeRow;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.Status;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Makes of what tables, workflow and presence know what clients see.
@Singleton
final class Views {
  private final Steering steering;
  private final Commands commands;
  private final Presence presence;
  private final TemporalUi temporalUi;

  Views(Steering steering, Commands commands, Presence presence, TemporalUi temporalUi) {
    this.steering = steering;
    this.commands = commands;
    this.presence = presence;
    this.temporalUi = temporalUi;
  }

  /// For lists, and for one that is started. Asks nobody.
  UpgradeView brief(UpgradeRow row) {
    return view(row, Now.OF_LISTS);
  }

  UpgradeView whole(UpgradeRow row) {
    return view(row, row.end().map(Now::ended).orElseGet(() -> now(row)));
  }

  /// What cannot be read from the row of an upgrade that runs.
  private record Now(
      boolean isWhole,
      Optional<String> phase,
      Optional<Instant> notAfter,
      Optional<ReasonView> reason,
      Optional<String> pausedBy,
      Optional<List<HostProgressView>> hosts,
      Optional<List<WaitView>> waiting,
      Optional<String> notKnown) {
    static final Now OF_LISTS = nothing(false, Optional.empty(), Optional.empty());

    static Now nothing(boolean isWhole, Optional<Phase> phase, Optional<String> notKnown) {
      return new Now(
          isWhole,
          phase.map(Phase::toString),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          notKnown);
    }

    static Now ended(UpgradeEnd end) {
      return new Now(
          true,
          Optional.of(Phase.ENDED.toString()),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.of(EndedHosts.read(end.hosts())),
          Optional.of(List.of()),
          Optional.empty());
    }
  }

  private Now now(UpgradeRow row) {
    try {
      return steering
          .status(row.device(), row.id())
          .map(status -> now(row.device().tenant(), status))
          // Begun a moment ago, or its end is on its way to the tables.
          .orElseGet(() -> Now.nothing(true, Optional.empty(), Optional.empty()));
    } catch (TemporalAway e) {
      String why = "phase, hosts and waiting, for " + e.getMessage();
      return Now.nothing(true, Optional.empty(), Optional.of(why));
    }
  }

  private Now now(String tenant, Status status) {
    return new Now(
        true,
        Optional.of(status.phase().toString()),
        Optional.of(status.notAfter()),
        status.reason().map(ReasonView::of),
        status.pausedBy().map(Operator::name),
        Optional.of(
            status.hosts().stream()
                .map(report ->
                    HostProgressView.of(report, Optional.of(presence(tenant, report.host()))))
                .toList()),
        Optional.of(
            status.waits().stream()
                .map(wait -> WaitView.of(wait, presence(tenant, wait.host())))
                .toList()),
        Optional.empty());
  }

  private PresenceView presence(String tenant, HostId host) {
    return PresenceView.of(presence.of(tenant, host));
  }

  private UpgradeView view(UpgradeRow row, Now now) {
    Optional<Plan> plan = Optional.of(row).filter(_ -> now.isWhole).map(Plan::of);
    return new UpgradeView(
        row.id(),
        row.device().name(),
        row.release().packageName(),
        row.release().version(),
        row.revertOf(),
        row.end().map(end -> Shapes.word(end.outcome())),
        row.end().flatMap(UpgradeEnd::why).map(ReasonView::of).or(() -> now.reason),
        row.startedBy(),
        row.startedAt(),
        row.endedAt(),
        temporalUi.upgrade(row),
        now.phase,
        plan.flatMap(Plan::reach),
        plan.flatMap(Plan::allowDowngrade),
        now.notAfter.or(() -> plan.flatMap(Plan::notAfter)),
        plan.flatMap(Plan::onClose),
        now.pausedBy,
        now.hosts,
        now.waiting,
        now.isWhole ? Optional.of(timeline(row)) : Optional.empty(),
        now.notKnown);
  }

  private List<CommandView> timeline(UpgradeRow row) {
    return commands.timeline(row.device().tenant(), row.id()).stream()
        .map(CommandView::of)
        .toList();
  }
}
