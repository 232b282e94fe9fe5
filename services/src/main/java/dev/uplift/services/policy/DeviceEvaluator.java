package dev.uplift.services.policy;

import static java.util.stream.Collectors.groupingBy;
import static java.util.stream.Collectors.toMap;

import dev.uplift.fleet.DeviceFacts;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.policy.PolicyCheck;
import dev.uplift.fleet.policy.PolicyCheck.Halt;
import dev.uplift.fleet.policy.PolicyDeviceFacts;
import dev.uplift.fleet.policy.PolicyDeviceFacts.Attempt;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RolloutPlace;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RolloutStandstill;
import dev.uplift.fleet.policy.PolicyDeviceFacts.RunningVersion;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.window.PlannedStart;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.rollout.DeviceSnapshot;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.selection.SelectableDevice;
import dev.uplift.services.upgrade.FleetUpgradeChecker;
import dev.uplift.store.policy.PolicyRollouts.EndedTarget;
import dev.uplift.store.policy.PolicyRollouts.OpenTarget;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.rollout.RolloutRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Collects the facts of devices for one policy and asks [PolicyCheck] about each. For one thread.
final class DeviceEvaluator {
  private final PolicyRepositories tables;
  private final HostPresence presence;
  private final EvaluatedPolicy evaluated;
  private final PolicyRow policy;
  private final FleetUpgradeChecker checker;
  private final PolicyEvaluation.Collector collector;
  private final PolicyCheck check;

  /// Of a policy that begins when windows open.
  private final Optional<RolloutWindows> windows;

  DeviceEvaluator(
      PolicyRepositories tables,
      HostPresence presence,
      EvaluatedPolicy evaluated,
      FleetUpgradeChecker checker,
      PolicyEvaluation.Collector collector) {
    this.tables = tables;
    this.presence = presence;
    this.evaluated = evaluated;
    this.policy = evaluated.row();
    this.checker = checker;
    this.collector = collector;
    this.check = new PolicyCheck(evaluated.target(), evaluated.spec().unknownVersion(), halt(), evaluated.now());
    this.windows =
        evaluated.spec().repeat() instanceof PolicyRepeat.EachWindow
            ? Optional.of(
                RolloutWindows.of(policy.tenant(), tables.rollouts().labelWindows(), evaluated.spec().rollout().plan()))
            : Optional.empty();
  }

  private Optional<Halt> halt() {
    return tables
        .rollouts()
        .common()
        .tenantStops()
        .find(policy.tenant())
        .map(stop -> Halt.stopped(stop.describe()))
        .or(() -> abortReason().map(Halt::rolloutAborted))
        .or(() -> evaluated.spec().cron().filter(_ -> !evaluated.run()).map(Halt::nextRun));
  }

  /// A rollout that was aborted, by a person or because too much failed, is not begun again by itself; nor is another
  /// one begun while it ends.
  private Optional<String> abortReason() {
    return tables
        .ofPolicies()
        .findNewest(policy.id(), evaluated.target().release())
        .filter(DeviceEvaluator::isAborted)
        .filter(row -> policy.enabledAt().filter(row.createdAt()::isAfter).isPresent())
        .flatMap(this::describeAbort);
  }

  private static boolean isAborted(RolloutRow row) {
    return row.state() == RolloutState.ABORTING || row.outcome().equals(Optional.of(RolloutOutcome.ABORTED));
  }

  private Optional<String> describeAbort(RolloutRow row) {
    return RolloutJson.readControl(row.control())
        .abortedBy()
        .filter(by -> !by.startsWith(policy.id().actor() + ":"))
        .map(by -> "rollout %s was aborted by %s; enable the policy again to go on".formatted(row.name(), by));
  }

  /// Adds devices whose names follow each other in the table.
  void addAll(List<DeviceSnapshot> devices) {
    if (devices.isEmpty()) {
      return;
    }
    String first = devices.getFirst().name();
    String last = devices.getLast().name();
    checker.useRange(first, last);
    Map<String, List<OpenTarget>> open =
        tables.ofPolicies().findOpenTargets(policy.tenant(), policy.packageName(), first, last).stream()
            .collect(groupingBy(OpenTarget::device));
    Map<String, EndedTarget> ends =
        tables
            .ofPolicies()
            .findEnds(
                policy.id(),
                evaluated.target().release(),
                evaluated.now().minus(PolicyCheck.RETRY_INTERVAL),
                first,
                last)
            .stream()
            .collect(toMap(EndedTarget::device, end -> end, (_, newer) -> newer));
    if (evaluated.target().offered()) {
      checker.useOffers(
          tables
              .rollouts()
              .common()
              .hostOffers()
              .findByDeviceRange(policy.tenant(), policy.packageName(), first, last));
    }
    devices.forEach(device -> add(device, open.getOrDefault(device.name(), List.of()), ends.get(device.name())));
  }

  private void add(DeviceSnapshot device, List<OpenTarget> open, @Nullable EndedTarget end) {
    Optional<String> begun =
        open.stream()
            .filter(place -> !place.policy().isEmpty() && place.targetState().isInProgress())
            .map(OpenTarget::policy)
            .findFirst();
    CompetingPolicies.Precedence precedence =
        evaluated.competitors().precedence(policy.name(), device.selectable(), begun);
    Optional<RolloutPlace> place = open.stream().filter(this::isOwn).map(DeviceEvaluator::place).findFirst();
    Optional<String> decider = precedence.otherDecider();
    if ((!precedence.applies() || decider.isPresent())
        && place.filter(own -> own.state() == TargetState.PENDING).isPresent()) {
      collector.addWithdrawn(device.name());
    }
    if (precedence.applies() && !precedence.isReplaced()) {
      PolicyDeviceStatus status = check.check(facts(device, decider, place, Optional.ofNullable(end)));
      if (status.state() == PolicyDeviceState.CONFLICT) {
        decider.ifPresent(collector::addOverruledBy);
      }
      if (decider.isEmpty()) {
        findOverruled(device.selectable());
      }
      collector.add(status);
    }
  }

  private static RolloutPlace place(OpenTarget own) {
    return new RolloutPlace(
        own.rollout(),
        own.targetState(),
        own.rolloutState(),
        own.waiting().map(reason -> new RolloutStandstill(reason, Objects.requireNonNullElse(own.waitMessage(), ""))));
  }

  /// Notes policies that are in conflict where this one decides. A fallback does not apply there, unless this is one
  /// too.
  private void findOverruled(SelectableDevice device) {
    CompetingPolicies competitors = evaluated.competitors();
    competitors.peers(policy.name(), evaluated.spec().fallback()).stream()
        .filter(name -> !collector.isOverruled(name) && competitors.selects(name, device))
        .filter(name -> competitors.target(name).filter(wanted -> !wanted.isMetBy(evaluated.target())).isPresent())
        .forEach(collector::addOverruled);
  }

  private boolean isOwn(OpenTarget place) {
    return place.policy().equals(policy.name()) && place.version().equals(evaluated.target().release().version());
  }

  private PolicyDeviceFacts facts(
      DeviceSnapshot device, Optional<String> decider, Optional<RolloutPlace> place, Optional<EndedTarget> end) {
    List<DeviceFacts.HostFacts> hostFacts = checker.hostFacts(device.device(), device.hosts());
    return new PolicyDeviceFacts(
        device.name(),
        decider,
        decider.flatMap(evaluated.competitors()::target),
        hostFacts.stream()
            .map(host ->
                new RunningVersion(host.host().value(), host.version(), host.sequence(), checker.offer(host.host())))
            .toList(),
        checker.check(device.device(), hostFacts, evaluated.spec().rollout().allowDowngrade()),
        checker.keptUntil(device.device(), evaluated.now()),
        place,
        startOf(device),
        end.map(one -> new Attempt(one.endedAt(), one.targetResult().isSuccess())),
        evaluated.run() ? Optional.empty() : silence(device));
  }

  /// A device that has no window in sight is left to its rollout, which says so.
  private Instant startOf(DeviceSnapshot device) {
    Instant start = evaluated.spec().start().of(device.device().id(), policy.enabledAt().orElse(evaluated.now()));
    Instant first = start.isAfter(evaluated.now()) ? start : evaluated.now();
    return windows
        .map(all -> all.firstStart(device.device().spec(), first, first.plus(WindowSchedule.HORIZON), Duration.ZERO))
        .filter(PlannedStart.At.class::isInstance)
        .map(PlannedStart.At.class::cast)
        .map(PlannedStart.At::instant)
        .filter(at -> at.isAfter(first))
        .orElse(start);
  }

  private Optional<String> silence(DeviceSnapshot device) {
    return device.device().hosts().stream().flatMap(host -> silence(host).stream()).findFirst();
  }

  private Optional<String> silence(HostId host) {
    return switch (presence.status(policy.tenant(), host)) {
      case PresenceStatus.Alive _ -> Optional.empty();
      case PresenceStatus.Silent(Instant since) -> Optional.of("%s is silent since %s".formatted(host, since));
      case PresenceStatus.Unknown(_, String reason) -> Optional.of(reason);
    };
  }
}
