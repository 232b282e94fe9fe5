package dev.uplift.services.why;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.pin.Pin;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.rollout.PauseCause;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.why.ExplanationFacts;
import dev.uplift.fleet.why.ExplanationFacts.ActiveHold;
import dev.uplift.fleet.why.ExplanationFacts.ActivePin;
import dev.uplift.fleet.why.ExplanationFacts.ActiveStop;
import dev.uplift.fleet.why.ExplanationFacts.ApplicablePolicy;
import dev.uplift.fleet.why.ExplanationFacts.EndedUpgrade;
import dev.uplift.fleet.why.ExplanationFacts.HostPresenceState;
import dev.uplift.fleet.why.ExplanationFacts.LeftOut;
import dev.uplift.fleet.why.ExplanationFacts.MemberRollout;
import dev.uplift.fleet.why.ExplanationFacts.MemberTarget;
import dev.uplift.fleet.why.ExplanationFacts.ObservedHost;
import dev.uplift.fleet.why.ExplanationFacts.RolloutPause;
import dev.uplift.fleet.why.ExplanationFacts.RunningUpgrade;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.services.policy.PoliciesOfDevice;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.services.rollout.RolloutWindows;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import dev.uplift.services.upgrade.ParticipatingHosts;
import dev.uplift.services.upgrade.RecordedPlan;
import dev.uplift.services.window.TenantWindows;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceRow;
import dev.uplift.store.device.HostRow;
import dev.uplift.store.device.HostSoftware;
import dev.uplift.store.pin.PinRow;
import dev.uplift.store.rollout.RolloutFilter;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetError;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeFilter;
import dev.uplift.store.upgrade.UpgradeRow;
import jakarta.inject.Singleton;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Loads the facts of a device and a package from tables and presence. The number of statements is bounded, whatever
/// the device went through.
@Singleton
public final class ExplanationFactsLoader {
  /// How many rollouts of the package are looked at, newest first.
  private static final int MAX_ROLLOUTS = 20;

  /// How many rollouts that left devices out are looked at, newest first.
  private static final int MAX_EXCLUSIONS = 5;

  private final RolloutRepositories repositories;
  private final PoliciesOfDevice policies;
  private final DeviceFactsLoader factsLoader;
  private final Presence presence;
  private final InstantSource clock;

  public ExplanationFactsLoader(
      RolloutRepositories repositories,
      PoliciesOfDevice policies,
      DeviceFactsLoader factsLoader,
      Presence presence,
      InstantSource clock) {
    this.repositories = repositories;
    this.policies = policies;
    this.factsLoader = factsLoader;
    this.presence = presence;
    this.clock = clock;
  }

  /// Returns the packages about which there is something to say: those that hosts of the device report, and that of the
  /// upgrade that runs.
  public NavigableSet<String> packages(DeviceRow device, Optional<RunningUpgrade> running) {
    NavigableSet<String> names = new TreeSet<>();
    Map<HostId, HostRow> rows = hostRows(device);
    device
        .hosts()
        .forEach(host -> {
          Optional.ofNullable(rows.get(host)).ifPresent(row -> names.addAll(row.versions().keySet()));
          heard(device, host).ifPresent(beat -> names.addAll(beat.heartbeat().versions().keySet()));
        });
    running.map(RunningUpgrade::packageName).ifPresent(names::add);
    names.addAll(repositories.ofDevices().listOpenPackages(device.tenant(), device.name()));
    repositories.common().pins().find(device.id()).forEach(row -> names.add(row.packageName()));
    names.addAll(policies.findPackages(device.id()));
    return names;
  }

  /// Loads the facts.
  ///
  /// @param running the upgrade of the device that runs, of any package
  public ExplanationFacts load(DeviceRow device, String packageName, Optional<RunningUpgrade> running) {
    List<RolloutRow> rows = rollouts(device.id(), packageName);
    List<MemberRollout> rollouts = rows.stream().flatMap(row -> member(row, device.id()).stream()).toList();
    List<ObservedHost> hosts = hosts(device, packageName);
    ExplanationFacts known = facts(device, packageName, hosts, rollouts, running);
    Optional<RolloutRow> next =
        known
            .nextRollout()
            .flatMap(rollout -> rows.stream().filter(row -> row.name().equals(rollout.name())).findFirst());
    return known.with(windows(device, next), refusal(device, known, next));
  }

  /// The facts that do not depend on what is wanted.
  private ExplanationFacts facts(
      DeviceRow device,
      String packageName,
      List<ObservedHost> hosts,
      List<MemberRollout> rollouts,
      Optional<RunningUpgrade> running) {
    return new ExplanationFacts(
        device.id(),
        packageName,
        hosts,
        repositories
            .common()
            .tenantStops()
            .find(device.tenant())
            .map(stop -> new ActiveStop(stop.reason(), stop.stoppedBy(), stop.since())),
        pins(device.id(), packageName),
        device
            .activeHold(clock.instant())
            .map(hold -> new ActiveHold(hold.reason(), hold.by(), hold.since(), hold.until())),
        policies(device.id(), packageName, hosts),
        rollouts,
        running,
        lastUpgrade(device.id(), packageName),
        WindowSchedule.none(device.spec().zone()),
        Optional.empty());
  }

  private List<ActivePin> pins(DeviceId device, String packageName) {
    return repositories.common().pins().find(device).stream()
        .map(PinRow::pin)
        .filter(pin -> pin.packageName().equals(packageName) && pin.isActiveAt(clock.instant()))
        .map(ExplanationFactsLoader::active)
        .toList();
  }

  private static ActivePin active(Pin pin) {
    return new ActivePin(pin.version(), pin.reason(), pin.by(), pin.origin(), pin.since(), pin.until(), pin.host());
  }

  private List<ApplicablePolicy> policies(DeviceId device, String packageName, List<ObservedHost> hosts) {
    return policies.find(device, packageName).stream().map(policy -> policy(policy, hosts)).toList();
  }

  /// A device that runs a newer version than a policy asks for is not to get another one.
  private static ApplicablePolicy policy(PoliciesOfDevice.Applicable policy, List<ObservedHost> hosts) {
    boolean enabled = policy.policy().enabled();
    Optional<PolicyDeviceStatus> status = policy.status();
    boolean isMet = status.filter(found -> found.state() == PolicyDeviceState.SATISFIED).isPresent();
    return new ApplicablePolicy(
        policy.policy().name(),
        enabled,
        policy.version().filter(version -> !isMet || hosts.stream().allMatch(host -> host.version().equals(version))),
        policy.isOffered(),
        policy.decides(),
        status.map(found -> found.state().toString()).orElseGet(PolicyDeviceState.BLOCKED::toString),
        status.map(PolicyDeviceStatus::reason).orElse("no-release"),
        status.map(PolicyDeviceStatus::message).or(policy::missing).orElse(""),
        status.flatMap(PolicyDeviceStatus::until));
  }

  private List<ObservedHost> hosts(DeviceRow device, String packageName) {
    Map<HostId, HostRow> rows = hostRows(device);
    List<HostSoftware> software = rows.values().stream().map(HostRow::software).toList();
    return ParticipatingHosts.of(device.hosts(), software, packageName).stream()
        .map(host -> observe(device, host, packageName, Optional.ofNullable(rows.get(host))))
        .toList();
  }

  private Map<HostId, HostRow> hostRows(DeviceRow device) {
    return repositories
        .common()
        .hosts()
        .findByDevices(device.tenant(), List.of(device.name()))
        .getOrDefault(device.name(), List.of())
        .stream()
        .collect(Collectors.toMap(HostRow::host, Function.identity()));
  }

  private Optional<ReceivedHeartbeat> heard(DeviceRow device, HostId host) {
    return presence.activeInstance(device.tenant(), host).filter(ReceivedHeartbeat::isFromRunningAgent);
  }

  private ObservedHost observe(DeviceRow device, HostId host, String packageName, Optional<HostRow> row) {
    String version =
        heard(device, host)
            .map(beat -> beat.heartbeat().versions().get(packageName))
            .or(() -> row.map(said -> said.versions().get(packageName)))
            .orElse(HostState.UNKNOWN);
    return switch (presence.status(device.tenant(), host)) {
      case PresenceStatus.Alive(ReceivedHeartbeat newest) ->
          new ObservedHost(host, version, HostPresenceState.ONLINE, newest.receivedAt());
      case PresenceStatus.Silent(Instant since) -> new ObservedHost(host, version, HostPresenceState.SILENT, since);
      case PresenceStatus.Unknown(Instant since, _) ->
          new ObservedHost(host, version, HostPresenceState.UNKNOWN, since);
    };
  }

  /// Open ones first, the one that comes first at the front; then those that have ended, newest first.
  private List<RolloutRow> rollouts(DeviceId device, String packageName) {
    List<RolloutRow> rows =
        new ArrayList<>(
            repositories.ofDevices().listOfDevice(device.tenant(), device.name(), packageName, MAX_ROLLOUTS));
    repositories
        .rollouts()
        .list(
            device.tenant(),
            new RolloutFilter(Optional.empty(), Optional.of(packageName), Optional.empty()),
            PageRequest.first(MAX_EXCLUSIONS))
        .rows()
        .stream()
        .filter(row -> rows.stream().noneMatch(known -> known.name().equals(row.name())))
        .filter(row -> repositories.exclusions().find(row.id(), device.name()).isPresent())
        .forEach(rows::add);
    return rows.stream()
        .filter(row -> row.state() != RolloutState.DRAFT)
        .sorted(
            Comparator.comparing((RolloutRow row) -> row.state() == RolloutState.ENDED)
                .thenComparing(ExplanationFactsLoader::compare))
        .toList();
  }

  private static int compare(RolloutRow one, RolloutRow other) {
    return one.state() == RolloutState.ENDED
        ? other.createdAt().compareTo(one.createdAt())
        : one.rank().compareTo(other.rank());
  }

  private Optional<MemberRollout> member(RolloutRow row, DeviceId device) {
    Optional<TargetRow> target = repositories.queue().find(row.id(), device.name());
    Optional<LeftOut> leftOut =
        target.isPresent()
            ? Optional.empty()
            : repositories
                .exclusions()
                .find(row.id(), device.name())
                .map(excluded -> new LeftOut(excluded.reason(), excluded.detail()));
    return Optional.of(
            new MemberRollout(
                row.name(),
                row.version(),
                row.state(),
                row.waiting().map(wait -> new RolloutPause(wait.reason(), wait.message(), wait.since(), wait.until())),
                row.state() == RolloutState.PAUSED && isPausedByItself(row),
                row.startAt(),
                row.currentWave(),
                target.map(TargetRow::wave).orElse(0),
                target.map(ExplanationFactsLoader::member),
                leftOut))
        .filter(member -> target.isPresent() || leftOut.isPresent());
  }

  private static boolean isPausedByItself(RolloutRow row) {
    return RolloutJson.readControl(row.control()).pauseCause().equals(Optional.of(PauseCause.THRESHOLD));
  }

  private static MemberTarget member(TargetRow row) {
    return new MemberTarget(
        row.state(),
        row.attempt(),
        row.result(),
        row.error().map(ExplanationFactsLoader::describe),
        row.startedAt(),
        row.endedAt(),
        row.notBefore(),
        row.offlineSince());
  }

  private static String describe(TargetError error) {
    return error.code() + ": " + error.text();
  }

  private Optional<EndedUpgrade> lastUpgrade(DeviceId device, String packageName) {
    var filter =
        new UpgradeFilter(
            Optional.of(device.name()),
            Optional.of(packageName),
            Optional.empty(),
            Optional.empty(),
            Optional.of(false));
    return repositories.common().upgrades().list(device.tenant(), filter, PageRequest.first(1)).rows().stream()
        .flatMap(row -> row.end().map(end -> ended(row, end)).stream())
        .findFirst();
  }

  private static EndedUpgrade ended(UpgradeRow row, UpgradeEnd end) {
    return new EndedUpgrade(
        row.id(),
        row.version(),
        end.outcome(),
        end.reason().flatMap(ExplanationFactsLoader::reason),
        row.startedBy(),
        row.endedAt().orElseGet(row::startedAt),
        RecordedPlan.read(row.plan()).flatMap(RecordedPlan::rollout),
        row.revertOf().isPresent(),
        row.failureClearedAt().isEmpty());
  }

  private static Optional<Reason> reason(UpgradeEnd.EndReason reason) {
    for (Reason.Kind kind : Reason.Kind.values()) {
      if (kind.name().toLowerCase(Locale.ROOT).equals(reason.kind())) {
        return Optional.of(new Reason(kind, reason.code(), reason.text()));
      }
    }
    return Optional.empty();
  }

  private WindowSchedule windows(DeviceRow device, Optional<RolloutRow> next) {
    return next.map(row ->
            RolloutWindows.of(device.tenant(), repositories.labelWindows(), RolloutJson.readSpec(row.plan()).plan())
                .of(device.spec()))
        .orElseGet(() -> TenantWindows.ofDevice(device.spec(), repositories.labelWindows()));
  }

  /// Returns the decision of an upgrade at its start.
  private Optional<Reason> refusal(DeviceRow device, ExplanationFacts known, Optional<RolloutRow> next) {
    if (known.running().isPresent() || known.hosts().isEmpty()) {
      return Optional.empty();
    }
    boolean allowDowngrade =
        next.map(row -> RolloutJson.readSpec(row.plan())).filter(RolloutSpec::allowDowngrade).isPresent();
    return known
        .wantedVersion()
        .map(version -> new Release(known.packageName(), version))
        .flatMap(release -> factsLoader.findRelease(device.tenant(), release))
        .flatMap(release ->
            UpgradeCheck.of(
                        new RequestedUpgrade(release.release(), false, allowDowngrade),
                        factsLoader.load(
                            device.id(),
                            ParticipatingHosts.load(repositories.common().hosts(), device, known.packageName()),
                            release))
                    instanceof UpgradeCheck.Declined(Reason reason)
                ? Optional.of(reason)
                : Optional.empty());
  }
}
