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
import java.util.Set;
import java.util.stream.Collectors;

/// Gathers what blocks the pending devices, a page at a time, and has the next ones selected. A page takes a few
/// statements, whatever the number of its devices and of other rollouts. For one pass.
final class CandidateSelector {
  /// So many devices are read at once for a revert.
  private static final int ROLLBACK_PAGE = 500;

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

  /// A part of the queue.
  ///
  /// @param rows in queue order
  /// @param candidates those of them that take part still
  /// @param isLast whether no device follows
  record CandidatePage(List<TargetRow> rows, List<Candidate> candidates, boolean isLast) {
    CandidatePage {
      rows = List.copyOf(rows);
      candidates = List.copyOf(candidates);
    }

    QueuePosition end() {
      return rows.getLast().queuePosition();
    }

    /// The part before `device`.
    CandidatePage before(String device) {
      List<TargetRow> first = rows.stream().takeWhile(row -> !row.device().equals(device)).toList();
      Set<String> names = first.stream().map(TargetRow::device).collect(Collectors.toSet());
      return new CandidatePage(
          first, candidates.stream().filter(candidate -> names.contains(candidate.device())).toList(), false);
    }
  }

  /// The next part of the queue. Leaves devices out that take no part any more.
  CandidatePage page(QueuePosition after, int limit) {
    List<TargetRow> rows = repositories.queue().candidates(row.id(), row.currentWave(), after, limit);
    return new CandidatePage(rows, candidates(rows, after), rows.size() < limit);
  }

  /// The devices of a page that are next. To be called under the lock of the rollout.
  StartSelection select(CandidatePage page, Start limits, Duration soak) {
    return new GroupLimits(repositories, row, plan.limits().perLabel(), devicePresence, soak, now)
        .select(page.candidates(), limits, plan.window());
  }

  /// The devices that are reverted next. Neither the deadline, priorities nor silence hold up a revert; all else is as
  /// for a start.
  StartSelection selectForRollback(List<TargetRow> waiting, int slots, Duration soak) {
    Start limits = new Start(slots, 0, slots, "");
    WindowRule rule = withoutPrepareAhead(plan.window());
    var groupLimits = new GroupLimits(repositories, row, plan.limits().perLabel(), devicePresence, soak, now);
    StartSelection next = StartSelection.NONE;
    for (int from = 0; from < waiting.size() && next.isEmpty(); from += ROLLBACK_PAGE) {
      List<TargetRow> page = waiting.subList(from, Math.min(from + ROLLBACK_PAGE, waiting.size()));
      List<Candidate> candidates = page.stream().map(this::rollbackCandidate).toList();
      next = groupLimits.select(candidates, limits, rule).withBlocked(next.blocked());
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
        Optional.empty(),
        Optional.ofNullable(busy.get(target.device())),
        Optional.empty(),
        target.notBefore());
  }

  /// A revert does not prepare before its window.
  private static WindowRule withoutPrepareAhead(WindowRule rule) {
    return new WindowRule(rule.mode(), rule.reason(), rule.onClose(), Duration.ZERO, rule.requiredTime());
  }

  private List<Candidate> candidates(List<TargetRow> page, QueuePosition after) {
    if (page.isEmpty()) {
      return List.of();
    }
    QueuePosition end = page.getLast().queuePosition();
    Map<String, String> outranked = repositories.queue().outranked(row, after, end, page.size(), now);
    Map<String, DeviceRow> devices = repositories.queue().devicesOfCandidates(row.id(), after, end, page.size());
    Map<String, String> pinned =
        repositories.queue().pinsAgainst(row.id(), row.release(), after, end, page.size(), now);
    List<String> leftOut = new ArrayList<>();
    List<Candidate> candidates = new ArrayList<>(page.size());
    for (TargetRow target : page) {
      // A device that prepares belongs to this rollout.
      Optional<String> first = Optional.ofNullable(outranked.get(target.device())).filter(_ -> !isPrepared(target));
      Optional<String> busyWith = Optional.ofNullable(busy.get(target.device())).filter(_ -> !isPrepared(target));
      boolean isTaken = busyWith.isPresent() || first.isPresent();
      // Without the lock the queue may have moved between the two queries, so a missing device is asked for by name.
      Optional<DeviceRow> device =
          Optional.ofNullable(devices.get(target.device()))
              .or(() -> repositories.findDevice(row.id(), target.device()))
              .filter(found -> !found.hosts().isEmpty());
      if (device.isEmpty() || (isTaken && plan.onBusy() == OnBusy.SKIP)) {
        leftOut.add(target.device());
      } else {
        candidates.add(
            candidate(target, device.get(), Optional.ofNullable(pinned.get(target.device())), busyWith, first));
      }
    }
    repositories.targets().skip(row.id(), leftOut);
    return candidates;
  }

  private Candidate candidate(
      TargetRow target,
      DeviceRow device,
      Optional<String> pinnedBy,
      Optional<String> busyWith,
      Optional<String> outrankedBy) {
    hosts.put(target.device(), device.hosts());
    return new Candidate(
        target.device(),
        isPrepared(target),
        groups(device.spec()),
        window(device.spec(), plan.notAfter().orElse(now.plus(WindowSchedule.HORIZON))),
        devicePresence.of(row.id().tenant(), device.hosts()),
        device.activeHold(now).map(FleetUpgradeChecker::describe),
        pinnedBy,
        busyWith,
        outrankedBy,
        target.notBefore());
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
