package dev.uplift.store.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.barrier.BarrierHostRepository;
import dev.uplift.store.barrier.BarrierRepository;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.store.command.CommandEncoder;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.DeviceRepository;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.metrics.FleetCountRepository.OpenBarrierCount;
import dev.uplift.store.metrics.FleetCountRepository.OpenCommandCount;
import dev.uplift.store.metrics.FleetCountRepository.OpenRolloutCount;
import dev.uplift.store.metrics.FleetCountRepository.OpenWaveCount;
import dev.uplift.store.metrics.FleetCountRepository.PhaseCount;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class FleetCountRepositoryTest extends DatabaseScenario {
  private static final Release OS = new Release("os", "1.5");
  private static final HostId HOST = new HostId("left");
  private static final CommandEncoder ENCODER = basis -> new SignedCommand(basis.id(), "do", "signed");
  private static final CommandRepository.CancelEncoder NEVER_CALLED =
      (_, _) -> {
        throw new AssertionError("there is nothing to cancel");
      };

  private FleetCountRepository counts = database.repository(FleetCountRepository.class);
  private CommandRepository commands = database.repository(CommandRepository.class);
  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private RolloutRepository rollouts = database.repository(RolloutRepository.class);

  @BeforeEach
  void open() {
    counts = database.repository(FleetCountRepository.class);
    commands = database.repository(CommandRepository.class);
    upgrades = database.repository(UpgradeRepository.class);
    rollouts = database.repository(RolloutRepository.class);
  }

  /// All tenants are counted together, those of other tests too.
  @AfterEach
  void endRollouts() {
    rollouts.findOpen().forEach(row -> rollouts.end(row.id(), RolloutOutcome.ABORTED));
  }

  @Test
  void runningUpgradesAreCountedByThePhaseThatTheirCommandsShow() {
    Instant begun = clock.instant();
    begin("waits", Optional.empty());
    begin("reverts", Optional.of("waits"));
    begin("prepares", Optional.empty());
    begin("upgrades", Optional.empty());
    begin("upgrades-too", Optional.empty());
    begin("rolls-back", Optional.empty());
    begin("ended", Optional.empty());
    upgrades.recordEnd(tenant, "ended", new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]"));
    commands.cancel(key("waits", Step.UPGRADE), NEVER_CALLED);
    advance();
    create("prepares", Step.PREPARE);
    answer(create("upgrades", Step.PREPARE));
    answer(create("upgrades-too", Step.PREPARE));
    answer(create("waits", Step.PREPARE));
    advance();
    answer(create("upgrades", Step.UPGRADE));
    answer(create("rolls-back", Step.UPGRADE));
    advance();
    create("upgrades", Step.REBOOT);
    create("upgrades-too", Step.UPGRADE);
    create("rolls-back", Step.ROLLBACK);

    assertThat(counts.countRunningUpgrades())
        .containsExactlyInAnyOrder(
            new PhaseCount("wait", 1, begun),
            new PhaseCount("revert", 1, begun),
            new PhaseCount("prepare", 1, begun.plusSeconds(60)),
            new PhaseCount("upgrade", 2, begun.plusSeconds(120)),
            new PhaseCount("rollback", 1, begun.plusSeconds(180)));
    assertThat(counts.countOpenCommands())
        .containsExactlyInAnyOrder(
            new OpenCommandCount("prepare", 1, begun.plusSeconds(60)),
            new OpenCommandCount("upgrade", 1, begun.plusSeconds(180)),
            new OpenCommandCount("reboot", 1, begun.plusSeconds(180)),
            new OpenCommandCount("rollback", 1, begun.plusSeconds(180)));
  }

  @Test
  void openRolloutsAreCountedByStateAndWaitWithTheirProgress() {
    Instant begun = clock.instant();
    create("draft", RolloutState.DRAFT);
    create("old", RolloutState.RUNNING);
    RolloutId over = create("over", RolloutState.RUNNING);
    rollouts.end(over, RolloutOutcome.UPGRADED);
    advance();
    RolloutId moved = create("moved", RolloutState.RUNNING);
    RolloutId waits = create("waits", RolloutState.RUNNING);
    rollouts.setState(waits, RolloutState.RUNNING, Optional.of(WaitReason.WINDOW), "opens later", Optional.empty());
    advance();
    rollouts.startWave(moved, 1);

    assertThat(counts.countOpenRollouts())
        .containsExactlyInAnyOrder(
            new OpenRolloutCount("running", "", 2, begun),
            new OpenRolloutCount("running", "window", 1, begun.plusSeconds(60)));

    rollouts.startWave(new RolloutId(tenant, "old"), 1);
    assertThat(counts.countOpenRollouts()).contains(new OpenRolloutCount("running", "", 2, begun.plusSeconds(120)));
  }

  @Test
  void wavesOfOpenRolloutsAreCountedByState() {
    Instant begun = clock.instant();
    create("draft", RolloutState.DRAFT);
    RolloutId over = create("over", RolloutState.RUNNING);
    rollouts.startWave(over, 1);
    rollouts.end(over, RolloutOutcome.UPGRADED);
    create("planned", RolloutState.PLANNED);
    advance();
    RolloutId runs = create("runs", RolloutState.RUNNING);
    RolloutId soaks = create("soaks", RolloutState.RUNNING);
    create("pending", RolloutState.RUNNING);
    rollouts.startWave(soaks, 1);
    rollouts.setState(soaks, RolloutState.RUNNING, Optional.of(WaitReason.SOAK), "soaks", Optional.empty());
    advance();
    rollouts.startWave(runs, 1);

    assertThat(counts.countOpenWaves())
        .containsExactlyInAnyOrder(
            new OpenWaveCount("pending", 2, begun),
            new OpenWaveCount("soaking", 1, begun.plusSeconds(60)),
            new OpenWaveCount("running", 1, begun.plusSeconds(120)));
  }

  @Test
  void openBarriersAreCountedByStateWithTheHostsThatTheyHaveHalted() {
    BarrierRepository barriers = database.repository(BarrierRepository.class);
    BarrierHostRepository hosts = database.repository(BarrierHostRepository.class);
    Instant begun = clock.instant();
    BarrierId halting = halt("halting", "a");
    BarrierId halted = halt("halted", "b");
    BarrierId over = halt("over", "c");
    hosts.recordHalted(halting, new HostId("a-1"));
    hosts.recordHalted(halted, new HostId("b-1"));
    hosts.recordHalted(halted, new HostId("b-2"));
    hosts.recordHalted(over, new HostId("c-1"));
    barriers.recordResuming(over, BarrierOutcome.ABORTED, "aborted by ann");
    barriers.recordEnd(over, Optional.empty());
    advance();
    halt("younger", "d");
    barriers.recordHalted(halted, barriers.count(halted));

    assertThat(counts.countOpenBarriers())
        .containsExactlyInAnyOrder(
            new OpenBarrierCount("halting", 2, begun, 1), new OpenBarrierCount("halted", 1, begun.plusSeconds(60), 2));
  }

  @Test
  void devicesAndTheirHostsAreCounted() {
    DeviceRepository devices = database.repository(DeviceRepository.class);
    devices.put(spec("site", "left", "right"), Precondition.absent());
    devices.put(spec("empty-later", "third"), Precondition.absent());
    devices.put(spec("site", "left"), Precondition.anything());

    assertThat(counts.countDevices()).isEqualTo(2);
    assertThat(counts.countHosts()).isEqualTo(2);
  }

  private void advance() {
    clock.advance(Duration.ofMinutes(1));
  }

  private void begin(String id, Optional<String> revertOf) {
    upgrades.createIfAbsent(new NewUpgrade(id, device(id), OS, "ann", "{}", "run-1", revertOf));
  }

  private CommandKey key(String upgrade, Step step) {
    return new CommandKey(tenant, upgrade, HOST, step, 1);
  }

  private CommandRow create(String upgrade, Step step) {
    return commands.createIfAbsent(
        key(upgrade, step), new Release("os", "1"), new WaitingActivity("upgrade/site", "7"), ENCODER);
  }

  private void answer(CommandRow command) {
    commands.recordOutcome(tenant, command.host(), command.id(), "done");
  }

  private BarrierId halt(String name, String device) {
    BarrierId id = new BarrierId(tenant, name);
    var hosts = new TreeMap<>(Map.of(device, List.of(new HostId(device + "-1"), new HostId(device + "-2"))));
    Instant deadline = clock.instant().plusSeconds(600);
    var barrier =
        new NewBarrier(id, "till", "{}", Optional.empty(), "halted", hosts, deadline, deadline.plusSeconds(3000));
    return database
        .inTransaction(() -> database.repository(BarrierRepository.class).create(barrier, "ann"))
        .row()
        .orElseThrow()
        .id();
  }

  private RolloutId create(String name, RolloutState state) {
    RolloutId id = new RolloutId(tenant, name);
    var rollout = new NewRollout(id, name, OS, "{}", "{}", "{}", state, "ann", Optional.empty(), 0);
    rollouts.create(rollout, new RolloutMembership(List.of(new NewWave(1, 0, "all", List.of("a"))), List.of()));
    return id;
  }
}
