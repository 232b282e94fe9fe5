package dev.uplift.services.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.policy.PolicyDeviceState;
import dev.uplift.fleet.policy.PolicyDeviceStatus;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.window.Window;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.services.Repositories;
import dev.uplift.services.TestReleases;
import dev.uplift.services.TestStacks;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostOffer;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.pin.PinRow;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRow;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PolicyEvaluatorTest {
  private static final String PACKAGE = "os";

  private final Set<String> silent = new HashSet<>();
  private Database database;
  private PolicyRepositories tables;
  private PolicyEvaluator evaluator;
  private Instant infoTime = Instant.now();

  @BeforeEach
  void open() {
    database = Database.open(DatabaseSettings.h2InMemory());
    tables = database.repository(PolicyRepositories.class);
    evaluator = new PolicyEvaluator(tables, new AllHeard());
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    publish("1.4.0", 140);
    publish("1.5.0", 150);
    publish("1.6.0", 160);
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void eachDeviceOfThePolicyHasOneState() {
    device("a", "north", "1.4.0");
    device("b", "north", "1.5.0");
    device("c", "north", "1.6.0");
    device("d", "north", "9-custom");
    device("e", "south", "1.4.0");
    device("f", "north", "1.4.0");
    silent.add("f");
    device("g", "north", "1.4.0");
    tables.rollouts().common().devices().hold(id("g"), "spare part ordered", "bob", Optional.empty());
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    List<PolicyDeviceStatus> found = new ArrayList<>();
    PolicyEvaluation evaluation = evaluator.evaluate(policy, found::add, () -> {});

    assertThat(found)
        .extracting(status -> "%s %s %s".formatted(status.device(), status.state(), status.reason()))
        .containsExactly(
            "a waiting due",
            "b satisfied satisfied",
            "c blocked downgrade",
            "d unknown unknown-version",
            "f waiting offline",
            "g blocked held");
    assertThat(evaluation.due()).containsExactly("a");
    assertThat(evaluation.devices()).isEqualTo(6);
    assertThat(evaluation.isComplete()).isFalse();
  }

  @Test
  void aChannelIsFollowedWhereverItPoints() {
    device("a", "north", "1.5.0");
    PolicyRow policy = enable("north", "north", new PolicyTarget.Channel("stable"), 0, false);
    assertThat(evaluate(policy).missing()).contains("os has no channel stable; point it at a release");

    tables.channels().move(TestStacks.TENANT, "stable", new Release(PACKAGE, "1.5.0"), "ann");
    assertThat(evaluate(policy).isComplete()).isTrue();

    tables.channels().move(TestStacks.TENANT, "stable", new Release(PACKAGE, "1.6.0"), "ann");
    assertThat(evaluate(policy).due()).containsExactly("a");
    assertThat(evaluate(policy).release()).contains(new Release(PACKAGE, "1.6.0"));
  }

  @Test
  void whatHostsAreOfferedIsTakenOnce() {
    device("a", "north", "1.6.0");
    device("b", "north", "1.6.0");
    device("c", "north", "1.6.0");
    offer("a", "one", 3);
    offer("b", "", 0);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);

    assertThat(states(policy)).containsExactly("a waiting due", "b satisfied satisfied", "c unknown offers-unknown");
    assertThat(evaluate(policy).release()).as("the newest").contains(new Release(PACKAGE, "1.6.0"));
    assertThat(evaluate(policy).due()).containsExactly("a");

    upgrade("u-1", "a", Outcome.UPGRADED);
    assertThat(states(policy)).as("held back packages").startsWith("a satisfied satisfied");
    offer("a", "two", 1);
    assertThat(states(policy)).startsWith("a waiting due");
    upgrade("u-2", "a", Outcome.ROLLED_BACK);
    assertThat(states(policy)).startsWith("a failed failed-before");
    offer("a", "three", 1);
    assertThat(states(policy)).startsWith("a waiting due");
    upgrade("u-3", "a", Outcome.EXPIRED);
    assertThat(states(policy)).as("which blames nothing").startsWith("a waiting due");
    offer("a", "", 0);
    assertThat(states(policy)).startsWith("a satisfied satisfied");
  }

  @Test
  void aClearedFailureHasWhatIsOfferedTriedAgain() {
    device("a", "north", "1.6.0");
    offer("a", "one", 3);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    upgrade("u-1", "a", Outcome.ROLLED_BACK);
    assertThat(states(policy)).containsExactly("a failed failed-before");

    tables.rollouts().common().upgrades().clearFailures(id("a"), new Release(PACKAGE, "1.6.0"));

    assertThat(states(policy)).containsExactly("a waiting due");
  }

  @Test
  void aVersionThatCannotBeMeasuredNowChangesNoOffer() {
    device("a", "north", "1.6.0");
    offer("a", "one", 3);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    upgrade("u-1", "a", Outcome.UPGRADED);

    report("a", "unknown", List.of());
    report("a", "1.6.0", List.of(new HostOffer(PACKAGE, "one", 3, 0)));
    assertThat(states(policy)).containsExactly("a satisfied satisfied");

    report("a", "1.6.0", List.of());
    assertThat(states(policy)).containsExactly("a unknown offers-unknown");
  }

  @Test
  void withoutAReleaseNothingBringsWhatIsOffered() {
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    var bare =
        new PolicyRow(
            policy.tenant(),
            policy.name(),
            "",
            "",
            "firmware",
            true,
            policy.enabledAt(),
            0,
            policy.spec(),
            1,
            "ann",
            Instant.now(),
            "ann",
            Instant.now());

    assertThat(evaluate(bare).missing())
        .contains("no release of firmware is published, which would bring what is offered");
  }

  @Test
  void aPolicyForAVersionLeavesWhatIsOffered() {
    device("a", "north", "1.6.0");
    offer("a", "one", 3);

    assertThat(states(enable("north", "north", new PolicyTarget.Exactly("1.6.0"), 0, false)))
        .containsExactly("a satisfied satisfied");
  }

  @Test
  void aFallbackAppliesWhereNoOtherPolicyDoes() {
    device("a", "north", "1.4.0");
    device("b", "south", "1.4.0");
    PolicyRow usual = enable("usual", "", new PolicyTarget.Exactly("1.6.0"), 100, true);
    PolicyRow north = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    assertThat(evaluate(usual).due()).containsExactly("b");
    assertThat(evaluate(usual).devices()).isEqualTo(1);
    assertThat(evaluate(north).due()).containsExactly("a");
  }

  @Test
  void thePolicyOfHigherPriorityDecidesAndTheOtherIsInConflict() {
    device("a", "north", "1.4.0");
    enable("first", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);
    PolicyRow second = enable("second", "north", new PolicyTarget.Exactly("1.6.0"), 1, false);
    PolicyRow first = tables.policies().find(new PolicyId(TestStacks.TENANT, "first")).orElseThrow();

    assertThat(evaluate(second).due()).containsExactly("a");
    assertThat(evaluate(first).count(PolicyDeviceState.CONFLICT)).isEqualTo(1);
    assertThat(evaluate(first).overruledBy()).containsExactly("second");
    assertThat(evaluate(first).due()).isEmpty();
  }

  @Test
  void oneDeviceIsLookedAtInAFewStatementsHoweverManyThereAre() {
    for (int i = 0; i < 100; i++) {
      device("d" + i, "north", "1.4.0");
    }
    for (int i = 0; i < 20; i++) {
      enable("p" + i, "north", new PolicyTarget.Exactly("1.5.0"), i, false);
    }
    PolicyRow policy = tables.policies().find(new PolicyId(TestStacks.TENANT, "p3")).orElseThrow();
    long before = database.counts().statements();

    PolicyEvaluation evaluation = evaluator.evaluate(policy, List.of("d7"), _ -> {});

    long few = database.counts().statements() - before;
    assertThat(evaluation.devices()).isEqualTo(1);
    assertThat(few).isBetween(1L, 15L);
    for (int i = 100; i < 1_000; i++) {
      device("d" + i, "north", "1.4.0");
    }
    before = database.counts().statements();
    evaluator.evaluate(policy, List.of("d7"), _ -> {});
    assertThat(database.counts().statements() - before).isEqualTo(few);
  }

  @Test
  void aPageOfDevicesCostsAsManyStatementsAsOneDevice() {
    for (int i = 0; i < 200; i++) {
      device("d" + i, "north", "1.4.0");
    }
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);
    long before = database.counts().statements();

    assertThat(evaluate(policy).due()).hasSize(200);

    assertThat(database.counts().statements() - before).isLessThanOrEqualTo(15);
  }

  @Test
  void offersOfAPageOfDevicesAreOneStatementMore() {
    for (int i = 0; i < 200; i++) {
      device("d" + i, "north", "1.6.0");
      offer("d" + i, "one", 3);
    }
    PolicyRow policy = enable("north", "north", new PolicyTarget.Offered(), 0, false);
    long before = database.counts().statements();

    assertThat(evaluate(policy).due()).hasSize(200);

    assertThat(database.counts().statements() - before).isLessThanOrEqualTo(16);
  }

  @Test
  void aPinnedDeviceIsBlockedUntilThePinEndsHoweverItIsLookedAt() {
    Instant end = Instant.now().plus(Duration.ofHours(1)).truncatedTo(ChronoUnit.MILLIS);
    device("a", "north", "1.4.0");
    pin("a", end);
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    for (PolicyEvaluation evaluation : List.of(evaluate(policy), evaluator.evaluate(policy, List.of("a"), _ -> {}))) {
      assertThat(evaluation.due()).isEmpty();
      assertThat(evaluation.count(PolicyDeviceState.BLOCKED)).isEqualTo(1);
      assertThat(evaluation.nextChange()).contains(end);
    }
  }

  @Test
  void inAStoppedTenantNothingIsDue() {
    device("a", "north", "1.4.0");
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);
    tables.rollouts().common().tenantStops().stop(TestStacks.TENANT, "fair in town", "ann");

    List<PolicyDeviceStatus> found = new ArrayList<>();
    assertThat(evaluator.evaluate(policy, found::add, () -> {}).due()).isEmpty();

    assertThat(found).extracting(PolicyDeviceStatus::reason).containsExactly("stopped");
    assertThat(found.getFirst().message()).contains("fair in town");
  }

  @Test
  void ofAPolicyWithACronLineDevicesAreDueInRunsAlone() {
    device("a", "north", "1.4.0");
    device("b", "north", "1.4.0");
    silent.add("b");
    var cron = new PolicyRepeat.Cron("0 22 * * 6", ZoneId.of("Europe/Berlin"));
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false, cron);

    List<PolicyDeviceStatus> found = new ArrayList<>();
    assertThat(evaluator.evaluate(policy, found::add, () -> {}).due()).isEmpty();
    assertThat(found).extracting(PolicyDeviceStatus::reason).containsExactly("next-run", "next-run");

    assertThat(evaluator.evaluateRun(policy, _ -> {}, () -> {}).due())
        .as("the one that is not heard would wait for the next run otherwise")
        .containsExactly("a", "b");
  }

  @Test
  void ofAPolicyForEachWindowADeviceIsDueWhenItsWindowOpens() {
    device("a", "north", "1.4.0");
    DayOfWeek inTwoDays = LocalDate.now(ZoneOffset.UTC).plusDays(2).getDayOfWeek();
    device(
        "b",
        "north",
        "1.4.0",
        WindowJson.write(
            List.of(Window.of(EnumSet.of(inTwoDays), LocalTime.MIDNIGHT, Optional.empty(), Duration.ofHours(4)))));
    PolicyRow policy =
        enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false, new PolicyRepeat.EachWindow());

    PolicyEvaluation evaluation = evaluate(policy);

    assertThat(evaluation.due()).as("without windows it may be touched at any time").containsExactly("a");
    assertThat(evaluation.nextChange())
        .hasValueSatisfying(
            opens -> assertThat(opens.atOffset(ZoneOffset.UTC).toLocalTime()).isEqualTo(LocalTime.MIDNIGHT));
  }

  @Test
  void anEvaluationCanBeInterruptedAfterEachPage() {
    device("a", "north", "1.4.0");
    PolicyRow policy = enable("north", "north", new PolicyTarget.Exactly("1.5.0"), 0, false);

    assertThatThrownBy(() ->
            evaluator.evaluate(
                policy,
                _ -> {},
                () -> {
                  throw new IllegalStateException("cancelled");
                }))
        .hasMessage("cancelled");
  }

  private PolicyEvaluation evaluate(PolicyRow policy) {
    return evaluator.evaluate(policy, _ -> {}, () -> {});
  }

  private PolicyRow enable(String name, String region, PolicyTarget target, int priority, boolean fallback) {
    return enable(name, region, target, priority, fallback, new PolicyRepeat.Always());
  }

  private PolicyRow enable(
      String name, String region, PolicyTarget target, int priority, boolean fallback, PolicyRepeat repeat) {
    PolicyId id = new PolicyId(TestStacks.TENANT, name);
    String selection = region.isEmpty() ? "true" : "labels.region == '%s'".formatted(region);
    var spec =
        new PolicySpec(
            target,
            selection,
            true,
            fallback,
            PolicyStart.NOW,
            repeat,
            UnknownVersion.LEAVE,
            new RolloutSpec(
                "",
                RolloutPlan.defaults(new Release(PACKAGE, "0"), selection),
                RollbackScope.DEVICE,
                Duration.ZERO,
                false));
    tables.policies().put(new NewPolicy(id, "", "", PACKAGE, priority, PolicyJson.write(spec)), "ann");
    assertThat(PolicyJson.read(PolicyJson.write(spec))).isEqualTo(spec);
    return tables.policies().setEnabled(id, true, "ann");
  }

  private void publish(String version, long sequence) {
    TestReleases.publish(tables.rollouts().common(), new Release(PACKAGE, version), sequence);
  }

  private List<String> states(PolicyRow policy) {
    List<String> states = new ArrayList<>();
    evaluator.evaluate(
        policy, status -> states.add("%s %s %s".formatted(status.device(), status.state(), status.reason())), () -> {});
    return states;
  }

  private void offer(String device, String digest, int updates) {
    report(device, "1.6.0", List.of(new HostOffer(PACKAGE, digest, updates, 0)));
  }

  private void report(String device, String version, List<HostOffer> offers) {
    infoTime = infoTime.plusSeconds(1);
    var info =
        new HostInfo(
            """
            {"protocol_version":1,"boot_id":"boot","instance":"instance","state":"running","at":"2026-11-25T12:00:00Z"}\
            """,
            "0.1.0",
            "x86_64",
            List.of("simulated"),
            "boot",
            "instance",
            "running",
            new TreeMap<>(Map.of(PACKAGE, version)),
            infoTime);
    tables
        .rollouts()
        .common()
        .hosts()
        .recordInfo(TestStacks.TENANT, new HostId(device + "-host"), info, List.of(), offers);
  }

  /// An upgrade that began with what is offered now, and has ended.
  private void upgrade(String upgrade, String device, Outcome outcome) {
    Repositories common = tables.rollouts().common();
    UpgradeRow _ =
        common
            .upgrades()
            .createIfAbsent(
                new NewUpgrade(
                    upgrade, id(device), new Release(PACKAGE, "1.6.0"), "ann", "", "run-1", Optional.empty()));
    common.hostOffers().recordUpgrade(TestStacks.TENANT, List.of(new HostId(device + "-host")), PACKAGE, upgrade);
    Optional<UpgradeEnd.EndReason> reason =
        outcome == Outcome.UPGRADED
            ? Optional.empty()
            : Optional.of(
                new UpgradeEnd.EndReason(
                    outcome == Outcome.EXPIRED ? "deadline" : "error", "worker-failed", "final", "no mirror"));
    Optional<UpgradeRow> _ =
        common.upgrades().recordEnd(TestStacks.TENANT, upgrade, new UpgradeEnd(outcome, reason, ""));
  }

  private void pin(String device, Instant until) {
    PinRow _ =
        tables
            .rollouts()
            .common()
            .pins()
            .set(id(device), PACKAGE, Optional.of("1.4.0"), "certified", "ann", Optional.of(until));
  }

  private static DeviceId id(String name) {
    return new DeviceId(TestStacks.TENANT, name);
  }

  private void device(String name, String region, String version) {
    device(name, region, version, "");
  }

  private void device(String name, String region, String version, String windows) {
    tables
        .rollouts()
        .common()
        .devices()
        .put(
            new DeviceSpec(
                id(name), List.of(new HostId(name + "-host")), Map.of("region", region), ZoneOffset.UTC, windows),
            Precondition.anything());
    tables
        .rollouts()
        .common()
        .hosts()
        .recordHeartbeats(
            List.of(
                new HeartbeatRow(
                    TestStacks.TENANT,
                    new HostId(name + "-host"),
                    "instance",
                    "boot",
                    "running",
                    new TreeMap<>(Map.of(PACKAGE, version)),
                    Instant.now())));
  }

  /// Hosts that are heard, except for those that the test makes silent. What they run is in the tables.
  private final class AllHeard implements HostPresence {
    @Override
    public PresenceStatus status(String tenant, HostId host) {
      Instant now = Instant.now();
      if (silent.stream().anyMatch(name -> host.value().equals(name + "-host"))) {
        return new PresenceStatus.Silent(now);
      }
      return new PresenceStatus.Alive(
          new ReceivedHeartbeat(
              tenant,
              host,
              "instance",
              new Heartbeat(Heartbeat.State.RUNNING, "boot", new TreeMap<>(), false, now),
              now));
    }

    @Override
    public Optional<ReceivedHeartbeat> activeInstance(String tenant, HostId host) {
      return Optional.empty();
    }

    @Override
    public Optional<String> describeDuplicates(String tenant, HostId host) {
      return Optional.empty();
    }

    @Override
    public Optional<String> describeOutage(String tenant) {
      return Optional.empty();
    }
  }
}
