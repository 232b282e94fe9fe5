package dev.uplift.services.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.fleet.rollout.plan.WaveSize;
import dev.uplift.fleet.rollout.plan.WaveSpec;
import dev.uplift.fleet.window.Window;
import dev.uplift.services.TestReleases;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.NatsSettings;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.window.WindowJson;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.rollout.RolloutMembership.ExcludedDevice;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.rollout.TargetRow.QueuePosition;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RolloutPlannerTest {
  private static final Release RELEASE = new Release("os", "1.5.0");
  private static final RolloutId ID = new RolloutId(TestStacks.TENANT, "north");

  private Database database;
  private RolloutRepositories repositories;
  private RolloutPlanner planner;

  @BeforeEach
  void open() {
    database = Database.open(DatabaseSettings.h2InMemory());
    repositories = database.repository(RolloutRepositories.class);
    var rejectedMessages = new RejectedMessages(new SimpleMeterRegistry());
    var nats = new NatsConnection(NatsSettings.of("nats://127.0.0.1:1", Path.of("none")), InstantSource.system());
    planner =
        new RolloutPlanner(
            repositories, new Presence(nats, InstantSource.system(), Duration.ofSeconds(100), rejectedMessages));
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    publish("1.5.0", 150);
    for (int i = 0; i < 10; i++) {
      device("north-" + i, "north", "");
    }
    device("south-0", "south", "");
  }

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void previewShowsCanaryTenthAndRestAndStoresNothing() {
    RolloutPreview rolloutPreview = preview(north());

    assertThat(rolloutPreview.devices()).isEqualTo(10);
    assertThat(rolloutPreview.waves()).extracting(RolloutPreview.WavePreview::devices).containsExactly(1, 1, 8);
    assertThat(rolloutPreview.waves().getLast().sample()).hasSize(5);
    assertThat(rolloutPreview.excluded()).isEmpty();
    assertThat(repositories.rollouts().find(ID)).isEmpty();
  }

  @Test
  void createdRolloutHasTheDevicesOfThePreview() {
    List<String> canary = preview(north()).waves().getFirst().sample();

    assertThat(planner.create(ID, spec(north()), "ann")).isInstanceOf(PlanningResult.Created.class);

    assertThat(repositories.queue().candidates(ID, 1, QueuePosition.FIRST, 9))
        .extracting(TargetRow::device)
        .isEqualTo(canary);
    assertThat(planner.create(ID, spec(north()), "ann")).isInstanceOf(PlanningResult.AlreadyExists.class);
  }

  @Test
  void ofManyIdenticalCreationsAtTheSameMomentOneIsNew() throws Exception {
    int clients = 8;
    CyclicBarrier together = new CyclicBarrier(clients);
    Callable<PlanningResult> creation =
        () -> {
          together.await();
          return planner.create(ID, spec(north()), "ann");
        };

    List<PlanningResult> results = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(clients)) {
      for (Future<PlanningResult> result : threads.invokeAll(Collections.nCopies(clients, creation))) {
        results.add(result.get());
      }
    }

    assertThat(results).filteredOn(PlanningResult.Created.class::isInstance).hasSize(1);
    assertThat(results).filteredOn(PlanningResult.AlreadyExists.class::isInstance).hasSize(clients - 1);
  }

  @Test
  void excludedDevicesAreListedWithTheReason() {
    runs("north-0", "1.5.0");
    publish("2.0.0", 200);
    runs("north-1", "2.0.0");
    repositories.common().devices().hold(device("north-2"), "spare part ordered", "bob", Optional.empty());
    failed("north-3");
    device("north-4", "north", never());

    assertThat(preview(north()).excluded())
        .extracting(ExcludedDevice::device, ExcludedDevice::reason)
        .containsExactly(
            tuple("north-0", "already-installed"),
            tuple("north-1", "downgrade"),
            tuple("north-2", "held"),
            tuple("north-3", "failed-before"),
            tuple("north-4", "no-window"));
    planner.create(ID, spec(north()), "ann");
    assertThat(repositories.exclusions().list(ID, PageRequest.first(10)).rows()).hasSize(5);
  }

  @Test
  void faultsHavePointersAndNothingIsStored() {
    assertThat(faults(RolloutPlan.defaults(RELEASE, "labels.region = 'north'")))
        .extracting(PlanViolation::pointer)
        .containsExactly("/selection");
    assertThat(faults(RolloutPlan.defaults(RELEASE, "true")))
        .extracting(PlanViolation::pointer)
        .containsExactly("/everything");
    assertThat(faults(RolloutPlan.defaults(RELEASE, "labels.region == 'west'")))
        .extracting(PlanViolation::pointer)
        .containsExactly("/selection");
    assertThat(faults(RolloutPlan.defaults(new Release("os", "9"), "labels.region == 'north'")))
        .extracting(PlanViolation::pointer)
        .containsExactly("/version");
    assertThat(faults(waves(WaveSpec.of(new WaveSize.Count(3)))))
        .extracting(PlanViolation::pointer)
        .containsExactly("/waves");
    assertThat(faults(waves(WaveSpec.of(new WaveSize.Matching("ring == 1")))))
        .extracting(PlanViolation::pointer)
        .containsExactly("/waves/0/expression");
    assertThat(repositories.rollouts().find(ID)).isEmpty();
  }

  @Test
  void devicesWithoutTheLabelAreCountedAsAWarning() {
    assertThat(preview(RolloutPlan.defaults(RELEASE, "device == 'north-1' || labels.ring == '1'")).warnings())
        .singleElement()
        .asString()
        .contains("ring", "10 devices");
  }

  @Test
  void draftSelectsItsDevicesWhenItIsLaunched() {
    planner.createDraft(ID, spec(RolloutPlan.defaults(RELEASE, "labels.region == 'west'")), "ann");
    assertThat(planner.launchDraft(ID)).isInstanceOf(PlanningResult.Invalid.class);
    planner.updateDraft(ID, spec(north()), "ann");
    assertThat(repositories.rollouts().find(ID).orElseThrow().isFrozen()).isFalse();

    assertThat(planner.launchDraft(ID))
        .isInstanceOfSatisfying(
            PlanningResult.Created.class,
            created -> {
              assertThat(created.row().state()).isEqualTo(RolloutState.RUNNING);
              assertThat(created.row().waveCount()).isEqualTo(3);
            });
    assertThat(planner.launchDraft(ID)).isInstanceOf(PlanningResult.DraftNotFound.class);
  }

  private static RolloutPlan north() {
    return RolloutPlan.defaults(RELEASE, "labels.region == 'north'");
  }

  private static RolloutPlan waves(WaveSpec... waves) {
    RolloutPlan usual = north();
    return new RolloutPlan(
        usual.release(),
        usual.selection(),
        usual.everything(),
        List.of(waves),
        usual.limits(),
        usual.thresholds(),
        usual.retries(),
        usual.window(),
        usual.lateJoiners(),
        usual.startAt(),
        Optional.of(Instant.now().plus(Duration.ofDays(30))),
        usual.priority(),
        usual.onBusy());
  }

  private static RolloutSpec spec(RolloutPlan plan) {
    return new RolloutSpec("", plan, RollbackScope.DEVICE, Duration.ZERO, false);
  }

  private RolloutPreview preview(RolloutPlan plan) {
    PlanningResult planningResult = planner.preview(ID, spec(plan));
    assertThat(planningResult).isInstanceOf(PlanningResult.Previewed.class);
    return ((PlanningResult.Previewed) planningResult).preview();
  }

  private List<PlanViolation> faults(RolloutPlan plan) {
    PlanningResult planningResult = planner.create(ID, spec(plan), "ann");
    assertThat(planningResult).isInstanceOf(PlanningResult.Invalid.class);
    return ((PlanningResult.Invalid) planningResult).faults();
  }

  private static DeviceId device(String name) {
    return new DeviceId(TestStacks.TENANT, name);
  }

  private void device(String name, String region, String windows) {
    repositories
        .common()
        .devices()
        .put(
            new DeviceSpec(
                device(name), List.of(new HostId(name + "-host")), Map.of("region", region), ZoneOffset.UTC, windows),
            Precondition.anything());
  }

  /// Returns a window that is shorter than an upgrade.
  private static String never() {
    return WindowJson.write(
        List.of(Window.of(EnumSet.allOf(DayOfWeek.class), LocalTime.NOON, Optional.empty(), Duration.ofMinutes(5))));
  }

  private void publish(String version, long sequence) {
    TestReleases.publish(repositories.common(), new Release(RELEASE.packageName(), version), sequence);
  }

  private void runs(String device, String version) {
    repositories
        .common()
        .hosts()
        .recordHeartbeats(
            List.of(
                new HeartbeatRow(
                    TestStacks.TENANT,
                    new HostId(device + "-host"),
                    "instance",
                    "boot",
                    "running",
                    new TreeMap<>(Map.of(RELEASE.packageName(), version)),
                    Instant.now())));
  }

  private void failed(String device) {
    repositories
        .common()
        .upgrades()
        .createIfAbsent(new NewUpgrade("u-" + device, device(device), RELEASE, "ann", "{}", "run"));
    repositories
        .common()
        .upgrades()
        .recordEnd(
            TestStacks.TENANT,
            "u-" + device,
            new UpgradeEnd(
                Outcome.ROLLED_BACK,
                Optional.of(new UpgradeEnd.EndReason("error", "disk-full", "final", "no room")),
                "[]"));
  }
}
