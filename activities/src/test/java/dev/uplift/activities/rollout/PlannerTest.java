package dev.uplift.activities.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.uplift.activities.TestServers;
import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.NatsSettings;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.window.WindowTexts;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Reach;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.fleet.window.Window;
import dev.uplift.store.Beat;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.DeviceSpec;
import dev.uplift.store.Expected;
import dev.uplift.store.Membership.LeftOut;
import dev.uplift.store.NewUpgrade;
import dev.uplift.store.PageRequest;
import dev.uplift.store.TargetRow;
import dev.uplift.store.TargetRow.Turn;
import dev.uplift.store.Tenants;
import dev.uplift.store.UpgradeEnd;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DayOfWeek;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PlannerTest {
  private static final Release RELEASE = new Release("os", "1.5.0");
  private static final RolloutId ID = new RolloutId(TestServers.TENANT, "north");

  private Database database;
  private RolloutTables tables;
  private RolloutPlanner planner;

  @BeforeEach
  void open() {
    database = Database.open(DatabaseSettings.inMemory());
    tables = RolloutTables.of(database);
    var refusals = new Refusals(new SimpleMeterRegistry());
    var nats =
        new NatsLink(
            NatsSettings.of("nats://127.0.0.1:1", Path.of("none")), InstantSource.system());
    planner =
        new RolloutPlanner(
            tables, new Presence(nats, InstantSource.system(), Duration.ofSeconds(100), refusals));
    new Tenants(database, Clock.systemUTC()).put(TestServers.TENANT, "");
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
    Preview preview = preview(north());

    assertThat(preview.devices()).isEqualTo(10);
    assertThat(preview.waves()).extracting(Preview.PreviewWave::devices).containsExactly(1, 1, 8);
    assertThat(preview.waves().getLast().sample()).hasSize(5);
    assertThat(preview.leftOut()).isEmpty();
    assertThat(tables.rollouts().find(ID)).isEmpty();
  }

  @Test
  void createdRolloutHasTheDevicesOfThePreview() {
    List<String> canary = preview(north()).waves().getFirst().sample();

    assertThat(planner.create(ID, wish(north()), "ann")).isInstanceOf(Planned.Created.class);

    assertThat(tables.queue().candidates(ID, 1, Turn.FIRST, 9))
        .extracting(TargetRow::device)
        .isEqualTo(canary);
    assertThat(planner.create(ID, wish(north()), "ann")).isInstanceOf(Planned.Exists.class);
  }

  @Test
  void whoIsLeftOutIsNamedWithTheReason() {
    runs("north-0", "1.5.0");
    publish("2.0.0", 200);
    runs("north-1", "2.0.0");
    tables
        .others()
        .devices()
        .hold(device("north-2"), "spare part ordered", "bob", Optional.empty());
    failed("north-3");
    device("north-4", "north", never());

    assertThat(preview(north()).leftOut())
        .extracting(LeftOut::device, LeftOut::reason)
        .containsExactly(
            tuple("north-0", "already-there"),
            tuple("north-1", "downgrade"),
            tuple("north-2", "held"),
            tuple("north-3", "failed-before"),
            tuple("north-4", "no-window"));
    planner.create(ID, wish(north()), "ann");
    assertThat(tables.rollouts().leftOut(ID, PageRequest.first(10)).rows()).hasSize(5);
  }

  @Test
  void whatIsWrongIsPointedAtAndNothingIsStored() {
    assertThat(faults(RolloutPlan.usual(RELEASE, "labels.region = 'north'")))
        .extracting(Fault::pointer)
        .containsExactly("/selection");
    assertThat(faults(RolloutPlan.usual(RELEASE, "true")))
        .extracting(Fault::pointer)
        .containsExactly("/everything");
    assertThat(faults(RolloutPlan.usual(RELEASE, "labels.region == 'west'")))
        .extracting(Fault::pointer)
        .containsExactly("/selection");
    assertThat(faults(RolloutPlan.usual(new Release("os", "9"), "labels.region == 'north'")))
        .extracting(Fault::pointer)
        .containsExactly("/version");
    assertThat(faults(waves(WaveSpec.of(new WaveSize.Count(3)))))
        .extracting(Fault::pointer)
        .containsExactly("/waves");
    assertThat(faults(waves(WaveSpec.of(new WaveSize.Matching("ring == 1")))))
        .extracting(Fault::pointer)
        .containsExactly("/waves/0/expression");
    assertThat(tables.rollouts().find(ID)).isEmpty();
  }

  @Test
  void devicesWithoutTheLabelAreCountedAsAWarning() {
    assertThat(
            preview(RolloutPlan.usual(RELEASE, "device == 'north-1' || labels.ring == '1'"))
                .warnings())
        .singleElement()
        .asString()
        .contains("ring", "10 devices");
  }

  @Test
  void draftTakesItsDevicesWhenItIsLaunched() {
    planner.draft(ID, wish(RolloutPlan.usual(RELEASE, "labels.region == 'west'")), "ann");
    assertThat(planner.launch(ID)).isInstanceOf(Planned.Refused.class);
    planner.redraft(ID, wish(north()), "ann");
    assertThat(tables.rollouts().find(ID).orElseThrow().isFrozen()).isFalse();

    assertThat(planner.launch(ID))
        .isInstanceOfSatisfying(
            Planned.Created.class,
            created -> {
              assertThat(created.row().state()).isEqualTo(RolloutState.RUNNING);
              assertThat(created.row().waves()).isEqualTo(3);
            });
    assertThat(planner.launch(ID)).isInstanceOf(Planned.NoDraft.class);
  }

  private static RolloutPlan north() {
    return RolloutPlan.usual(RELEASE, "labels.region == 'north'");
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

  private static RolloutWish wish(RolloutPlan plan) {
    return new RolloutWish("", plan, Reach.DEVICE, Duration.ZERO, false);
  }

  private Preview preview(RolloutPlan plan) {
    Planned planned = planner.preview(ID, wish(plan));
    assertThat(planned).isInstanceOf(Planned.Possible.class);
    return ((Planned.Possible) planned).preview();
  }

  private List<Fault> faults(RolloutPlan plan) {
    Planned planned = planner.create(ID, wish(plan), "ann");
    assertThat(planned).isInstanceOf(Planned.Refused.class);
    return ((Planned.Refused) planned).faults();
  }

  private static DeviceId device(String name) {
    return new DeviceId(TestServers.TENANT, name);
  }

  private void device(String name, String region, String windows) {
    tables
        .others()
        .devices()
        .put(
            new DeviceSpec(
                device(name),
                List.of(new HostId(name + "-host")),
                Map.of("region", region),
                ZoneOffset.UTC,
                windows),
            Expected.anything());
  }

  /// Shorter than an upgrade takes.
  private static String never() {
    return WindowTexts.write(
        List.of(
            Window.of(
                EnumSet.allOf(DayOfWeek.class),
                LocalTime.NOON,
                Optional.empty(),
                Duration.ofMinutes(5))));
  }

  private void publish(String version, long sequence) {
    RolloutWorld.publish(tables, new Release(RELEASE.packageName(), version), sequence);
  }

  private void runs(String device, String version) {
    tables
        .others()
        .hosts()
        .heard(
            List.of(
                new Beat(
                    TestServers.TENANT,
                    new HostId(device + "-host"),
                    "instance",
                    "boot",
                    "running",
                    new TreeMap<>(Map.of(RELEASE.packageName(), version)),
                    Instant.now())));
  }

  private void failed(String device) {
    tables
        .others()
        .upgrades()
        .begin(new NewUpgrade("u-" + device, device(device), RELEASE, "ann", "{}", "run"));
    tables
        .others()
        .upgrades()
        .end(
            TestServers.TENANT,
            "u-" + device,
            new UpgradeEnd(
                Outcome.ROLLED_BACK,
                Optional.of(new UpgradeEnd.Why("error", "disk-full", "final", "no room")),
                "[]"));
  }
}
