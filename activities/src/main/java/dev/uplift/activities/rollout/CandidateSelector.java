package dev.uplift.activities.rollout;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.GroupLimit;
import dev.uplift.fleet.rollout.plan.OnBusy;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WindowRule;
import dev.uplift.fleet.rollout.start.Candidate;
import dev.uplift.fleet.rollout.start.CandidatePresence;
import dev.uplift.fleet.rollout.start.CandidateWindow;
import dev.uplift.fleet.rollout.start.StartSelection;
import dev.uplift.fleet.window.StartRequirements;
import dev.uplift.fleet.window.WindowOpening;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.upgrade.FleetUpgradeChecker;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// Gathers what blocks the pending devices, and has the next ones selected. For one pass, under the lock of the
/// rollout.
final class CandidateSelector {
  private static final int MIN_PAGE = 50;
  private static final int MAX_PAGE = 500;

  /// The most devices that one pass examines while none of them may start.
  private static final int MAX_SCANNED = 10_000;

  private final RolloutRepositories repositories;
  private final RolloutRow row;
  private final RolloutPlan plan;
  private final Instant now;
  private final RolloutWindows windows;
  private final Map<String, String> busy;
  private final DevicePresence devicePresence;
  private final Duration spread;
  private final Map<String, List<HostId>> hosts = new HashMap<>();

  CandidateSelector(
      RolloutRepositories repositories, RolloutRow row, RolloutPlan plan, DevicePresence devicePresence, Instant now) {
    this.repositories = repositories;
    this.row = row;
    this.plan = plan;
    this.now = now;
    this.windows = RolloutWindows.of(row.id().tenant(), repositories.labelWindows(), plan);
    this.busy = repositories.queue().busyElsewhere(row.id());
    this.devicePresence = devicePresence;
    this.spread = spread(repositories.statistics().targetCounts(row.id()).deviceCount());
  }

  /// A thousand devices take a quarter of an hour, few take seconds.
  private static Duration spread(int devices) {
    Duration each = Duration.ofSeconds(devices);
    return each.compareTo(StartRequirements.DEFAULT_SPREAD) < 0 ? each : StartRequirements.DEFAULT_SPREAD;
  }

  /// The devices that are next, or else what blocks all that were examined.
  StartSelection select(Start limits, Duration soak) {
    GroupLimits groupLimits = GroupLimits.of(repositories, row, plan.limits().perLabel(), devicePresence, soak, now);
    WindowRule rule = plan.window();
    int limit = Math.clamp(2L * Math.min(limits.maxStarts(), limits.maxTotal()), MIN_PAGE, MAX_PAGE);
    // Without a slot a device may still prepare ahead, which is not worth more than one page.
    int enough = limits.maxStarts() > 0 ? MAX_SCANNED : 1;
    List<Candidate> seen = new ArrayList<>();
    QueuePosition after = QueuePosition.FIRST;
    while (seen.size() < enough) {
      List<TargetRow> page = repositories.queue().candidates(row.id(), row.currentWave(), after, limit);
      List<Candidate> candidates = candidates(page);
      StartSelection next = groupLimits.select(candidates, limits, rule);
      if (!next.isEmpty()) {
        return next;
      }
      seen.addAll(candidates);
      if (page.size() < limit) {
        break;
      }
      after = page.getLast().queuePosition();
    }
    return groupLimits.select(seen, limits, rule);
  }

  /// The devices that are reverted next. Neither the deadline, priorities nor silence hold up a revert; all else is as
  /// for a start.
  StartSelection selectForRollback(List<TargetRow> waiting, int slots, Duration soak) {
    Start limits = new Start(slots, 0, slots, "");
    WindowRule rule = withoutPrepareAhead(plan.window());
    GroupLimits groupLimits = GroupLimits.of(repositories, row, plan.limits().perLabel(), devicePresence, soak, now);
    StartSelection next = groupLimits.select(List.of(), limits, rule);
    for (int from = 0; from < waiting.size() && next.isEmpty(); from += MAX_PAGE) {
      List<Candidate> candidates =
          waiting.subList(0, Math.min(from + MAX_PAGE, waiting.size())).stream().map(this::rollbackCandidate).toList();
      next = groupLimits.select(candidates, limits, rule);
    }
    return next;
  }

  private Candidate rollbackCandidate(TargetRow target) {
    Optional<DeviceRow> device = repositories.common().devices().find(row.id().device(target.device()));
    return new Candidate(
        target.device(),
        false,
        device.map(found -> groups(found.spec())).orElse(Map.of()),
        device
            .map(found -> window(found.spec(), now.plus(WindowSchedule.HORIZON)))
            .orElseGet(CandidateWindow.Always::new),
        new CandidatePresence.Heard(),
        device.flatMap(found -> found.activeHold(now)).map(FleetUpgradeChecker::describe),
        Optional.ofNullable(busy.get(target.device())),
        Optional.empty(),
        target.notBefore());
  }

  /// A revert does not prepare before its window.
  private static WindowRule withoutPrepareAhead(WindowRule rule) {
    return new WindowRule(rule.mode(), rule.reason(), rule.onClose(), Duration.ZERO, rule.requiredTime());
  }

  private List<Candidate> candidates(List<TargetRow> page) {
    Map<String, String> outranked =
        repositories.queue().outranked(row, page.stream().map(TargetRow::device).toList(), now);
    List<Candidate> candidates = new ArrayList<>(page.size());
    for (TargetRow target : page) {
      // A device that prepares belongs to this rollout.
      Optional<String> first = Optional.ofNullable(outranked.get(target.device())).filter(_ -> !isPrepared(target));
      candidate(target, first).ifPresent(candidates::add);
    }
    return candidates;
  }

  /// Empty if the device takes no part any more.
  private Optional<Candidate> candidate(TargetRow target, Optional<String> outrankedBy) {
    Optional<DeviceRow> device = repositories.findDevice(row.id(), target.device());
    Optional<String> busyWith = Optional.ofNullable(busy.get(target.device())).filter(_ -> !isPrepared(target));
    boolean isTaken = busyWith.isPresent() || outrankedBy.isPresent();
    if (device.isEmpty() || (isTaken && plan.onBusy() == OnBusy.SKIP)) {
      repositories.targets().skip(row.id(), target.device());
      return Optional.empty();
    }
    hosts.put(target.device(), device.get().hosts());
    return Optional.of(
        new Candidate(
            target.device(),
            isPrepared(target),
            groups(device.get().spec()),
            window(device.get().spec(), plan.notAfter().orElse(now.plus(WindowSchedule.HORIZON))),
            devicePresence.of(row.id().tenant(), device.get().hosts()),
            device.get().activeHold(now).map(FleetUpgradeChecker::describe),
            busyWith,
            outrankedBy,
            target.notBefore()));
  }

  /// The hosts of candidates.
  Map<String, List<HostId>> hostsOf(List<String> devices) {
    return devices.stream().collect(Collectors.toMap(device -> device, hosts::get));
  }

  /// Returns whether it was started ahead, and is to be told to proceed rather than started.
  private static boolean isPrepared(TargetRow target) {
    return target.prepareAhead() && target.state() == TargetState.STARTED;
  }

  private Map<String, String> groups(DeviceSpec device) {
    Map<String, String> groups = new HashMap<>();
    for (GroupLimit limit : plan.limits().perLabel()) {
      Optional.ofNullable(device.labels().get(limit.label())).ifPresent(value -> groups.put(limit.label(), value));
    }
    return groups;
  }

  private CandidateWindow window(DeviceSpec device, Instant deadline) {
    if (!windows.isRestricted(device)) {
      return new CandidateWindow.Always();
    }
    return switch (windows.firstStart(device, now, deadline, spread)) {
      case dev.uplift.fleet.window.PlannedStart.Never _ -> new CandidateWindow.Never();
      case dev.uplift.fleet.window.PlannedStart.At(Instant at, WindowOpening opening) ->
          at.isAfter(now)
              ? new CandidateWindow.Closed(at)
              : new CandidateWindow.Open(opening.closes().orElse(now.plus(WindowSchedule.HORIZON)));
    };
  }
}
