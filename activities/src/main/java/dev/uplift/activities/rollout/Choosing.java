package dev.uplift.activities.rollout;

import dev.uplift.activities.device.FleetFacts;
import dev.uplift.fleet.rollout.Candidate;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.GroupLimit;
import dev.uplift.fleet.rollout.NextStarts;
import dev.uplift.fleet.rollout.OnBusy;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WindowFact;
import dev.uplift.fleet.rollout.WindowRule;
import dev.uplift.fleet.window.Opening;
import dev.uplift.fleet.window.Wanted;
import dev.uplift.fleet.window.Windows;
import dev.uplift.store.DeviceRow;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetRow;
import dev.uplift.store.TargetRow.Turn;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Gathers what is in the way of the devices that are to come, and lets it be decided who is next.
/// For one pass, under the lock of the rollout.
final class Choosing {
  private static final int LEAST = 50;
  private static final int MOST = 500;

  /// As many as one pass looks at while none of them may start.
  private static final int ENOUGH = 10_000;

  private final RolloutTables tables;
  private final RolloutRow row;
  private final RolloutPlan plan;
  private final Instant now;
  private final RolloutWindows windows;
  private final Map<String, String> busy;
  private final Silence silence;
  private final Duration spread;

  Choosing(RolloutTables tables, RolloutRow row, RolloutPlan plan, Silence silence, Instant now) {
    this.tables = tables;
    this.row = row;
    this.plan = plan;
    this.now = now;
    this.windows = RolloutWindows.of(row.id().tenant(), tables.labelWindows(), plan);
    this.busy = tables.queue().busyElsewhere(row.id());
    this.silence = silence;
    this.spread = spread(tables.counts().counts(row.id()).devices());
  }

  /// A thousand devices take a quarter of an hour, few take seconds.
  private static Duration spread(int devices) {
    Duration each = Duration.ofSeconds(devices);
    return each.compareTo(Wanted.USUAL_SPREAD) < 0 ? each : Wanted.USUAL_SPREAD;
  }

  /// Who is next; if nobody is, what is in the way of all that were looked at.
  NextStarts choose(Start room, Duration soak) {
    Groups groups = Groups.of(tables, row, plan.limits().perLabel(), silence, soak, now);
    WindowRule rule = plan.window();
    int limit = Math.clamp(2L * Math.min(room.now(), room.together()), LEAST, MOST);
    // Without a slot some may still prepare ahead, which is not worth a look at more than a page.
    int enough = room.now() > 0 ? ENOUGH : 1;
    List<Candidate> seen = new ArrayList<>();
    Turn after = Turn.FIRST;
    while (seen.size() < enough) {
      List<TargetRow> page = tables.queue().candidates(row.id(), row.currentWave(), after, limit);
      List<Candidate> candidates = candidates(page);
      NextStarts next = groups.choose(candidates, room, rule);
      if (!next.isEmpty()) {
        return next;
      }
      seen.addAll(candidates);
      if (page.size() < limit) {
        break;
      }
      after = page.getLast().turn();
    }
    return groups.choose(seen, room, rule);
  }

  /// Who of these goes back now. The deadline bounds what is brought, not what is taken back, and
  /// nobody is outranked on the way back; all else holds as for a start.
  NextStarts back(List<TargetRow> waiting, int slots, Duration soak) {
    Start room = new Start(slots, 0, slots, "");
    WindowRule rule = withoutAhead(plan.window());
    Groups groups = Groups.of(tables, row, plan.limits().perLabel(), silence, soak, now);
    NextStarts next = groups.choose(List.of(), room, rule);
    for (int from = 0; from < waiting.size() && next.isEmpty(); from += MOST) {
      List<Candidate> candidates =
          waiting.subList(0, Math.min(from + MOST, waiting.size())).stream()
              .map(this::backCandidate)
              .toList();
      next = groups.choose(candidates, room, rule);
    }
    return next;
  }

  private Candidate backCandidate(TargetRow target) {
    Optional<DeviceRow> device = tables.others().devices().find(row.id().device(target.device()));
    return new Candidate(
        target.device(),
        false,
        device.map(found -> groups(found.spec())).orElse(Map.of()),
        device
            .map(found -> window(found.spec(), now.plus(Windows.HORIZON)))
            .orElseGet(WindowFact.Always::new),
        device.flatMap(found -> found.heldAt(now)).map(FleetFacts::inWords),
        Optional.ofNullable(busy.get(target.device())),
        Optional.empty(),
        target.notBefore());
  }

  /// Nobody prepares before its window yet.
  private static WindowRule withoutAhead(WindowRule rule) {
    return new WindowRule(rule.mode(), rule.reason(), rule.onClose(), Duration.ZERO, rule.takes());
  }

  private List<Candidate> candidates(List<TargetRow> page) {
    Map<String, String> outranked =
        tables.queue().outranked(row, page.stream().map(TargetRow::device).toList(), now);
    List<Candidate> candidates = new ArrayList<>(page.size());
    for (TargetRow target : page) {
      // Who prepares has the device.
      Optional<String> first =
          Optional.ofNullable(outranked.get(target.device())).filter(_ -> !isPrepared(target));
      candidate(target, first).ifPresent(candidates::add);
    }
    return candidates;
  }

  /// Empty: it takes no part any more.
  private Optional<Candidate> candidate(TargetRow target, Optional<String> outrankedBy) {
    Optional<DeviceRow> device = tables.device(row.id(), target.device());
    Optional<String> busyWith =
        Optional.ofNullable(busy.get(target.device())).filter(_ -> !isPrepared(target));
    boolean isTaken = busyWith.isPresent() || outrankedBy.isPresent();
    if (device.isEmpty() || (isTaken && plan.onBusy() == OnBusy.SKIP)) {
      tables.targets().skip(row.id(), target.device());
      return Optional.empty();
    }
    return Optional.of(
        new Candidate(
            target.device(),
            isPrepared(target),
            groups(device.get().spec()),
            window(device.get().spec(), plan.notAfter().orElse(now.plus(Windows.HORIZON))),
            device.get().heldAt(now).map(FleetFacts::inWords),
            busyWith,
            outrankedBy,
            target.notBefore()));
  }

  /// Whether it is told to go on rather than started, or will be once it is.
  private static boolean isPrepared(TargetRow target) {
    return target.ahead() && target.state() == TargetState.STARTED;
  }

  private Map<String, String> groups(DeviceSpec device) {
    Map<String, String> groups = new HashMap<>();
    for (GroupLimit limit : plan.limits().perLabel()) {
      Optional.ofNullable(device.labels().get(limit.label()))
          .ifPresent(value -> groups.put(limit.label(), value));
    }
    return groups;
  }

  private WindowFact window(DeviceSpec device, Instant deadline) {
    if (!windows.bound(device)) {
      return new WindowFact.Always();
    }
    return switch (windows.start(device, now, deadline, spread)) {
      case dev.uplift.fleet.window.Start.Never _ -> new WindowFact.Never();
      case dev.uplift.fleet.window.Start.At(Instant at, Opening opening) ->
          at.isAfter(now)
              ? new WindowFact.Closed(at)
              : new WindowFact.Open(opening.closes().orElse(now.plus(Windows.HORIZON)));
    };
  }
}
