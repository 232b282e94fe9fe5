package dev.uplift.activities.barrier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.barrier.BarrierAction;
import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierDecision;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.barrier.BarrierState;
import dev.uplift.fleet.barrier.WhenNotHalted;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult.Cancelled;
import dev.uplift.protocol.CommandResult.Done;
import dev.uplift.protocol.CommandResult.Failed;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierMigration;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.services.barrier.BarrierSpec;
import dev.uplift.store.barrier.BarrierHostRow;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.workflows.barrier.BarrierInput;
import dev.uplift.workflows.barrier.BarrierRequest;
import dev.uplift.workflows.barrier.BarrierStatus;
import dev.uplift.workflows.barrier.BarrierSteps;
import dev.uplift.workflows.barrier.MigrationResult;
import io.temporal.activity.ActivityOptions;
import io.temporal.testing.TestActivityEnvironment;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A barrier over one device, whose host the test plays.
final class BarrierHostTest extends HostUpgradeScenario {
  private static final Failed WITHOUT_EFFECT =
      new Failed("stale-epoch", WireErrorClass.FINAL, "a newer command was received before");

  private final BarrierId id = new BarrierId(device.tenant(), "b-" + UUID.randomUUID().toString().substring(0, 8));

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  /// Leaves no open barrier to the reconciler of the next test.
  @AfterEach
  void end() {
    tables().barriers().recordAbort(id, "ann", "the test is over");
    tables().barriers().recordResuming(id, BarrierOutcome.ABORTED, "the test is over");
    tables().barriers().recordEnd(id, Optional.empty());
  }

  @Test
  void aHostThatAnswersWithoutEffectIsToldAgain() throws Exception {
    begin();

    Command halt = host.awaitCommand(CommandAction.HALT);
    host.answer(halt, "1.4.0", WITHOUT_EFFECT);
    Command haltAgain = host.awaitCommandAfter(halt);
    host.answer(haltAgain, "1.4.0", new Done());
    awaitState(BarrierState.HALTED);
    sendContinue();
    Command resume = host.awaitCommand(CommandAction.RESUME);
    host.answer(resume, "1.4.0", WITHOUT_EFFECT);
    Command resumeAgain = host.awaitCommandAfter(resume);
    host.answer(resumeAgain, "1.4.0", new Done());
    awaitState(BarrierState.ENDED);

    assertThat(haltAgain.action()).isEqualTo(CommandAction.HALT);
    assertThat(resumeAgain.action()).isEqualTo(CommandAction.RESUME);
    assertThat(barrier().outcome()).contains(BarrierOutcome.COMPLETED);
    assertThat(barrierHost().state()).isEqualTo(BarrierHostState.RESUMED);
  }

  @Test
  void aHostThatCannotHaltAbortsTheBarrierAndIsReleased() throws Exception {
    begin();

    Command halt = host.awaitCommand(CommandAction.HALT);
    host.answer(halt, "1.4.0", new Failed("halt-failed", WireErrorClass.FINAL, "the till is in use"));
    Command resume = host.awaitCommand(CommandAction.RESUME);
    assertThat(barrierHost().state()).isEqualTo(BarrierHostState.MISSING);
    assertThat(barrierHost().detail()).contains("the till is in use");
    host.answer(resume, "1.4.0", new Done());
    awaitState(BarrierState.ENDED);

    assertThat(barrier().outcome()).contains(BarrierOutcome.ABORTED);
    assertThat(barrier().message()).contains("1 of 1 hosts have not halted");
  }

  @Test
  void aHostThatIsBeingUpgradedHaltsAfterItsUpgrade() throws Exception {
    start(withoutResends());
    host.answer(host.awaitCommand(CommandAction.PREPARE), "1.4.0", new Done());
    Command upgradeCommand = host.awaitCommand(CommandAction.UPGRADE);
    begin();
    await().atMost(Duration.ofMinutes(1)).until(() -> server().bean(BarrierWorkflowClient.class).isRunning(id));
    host.sendHeartbeat("1.5.0");
    host.answer(upgradeCommand, "1.5.0", new Done());
    result();

    host.answer(host.awaitCommand(CommandAction.HALT), "1.5.0", new Done());
    awaitState(BarrierState.HALTED);

    List<CommandAction> actions = host.allCommands().stream().map(Command::action).distinct().toList();
    assertThat(actions).startsWith(CommandAction.PREPARE, CommandAction.UPGRADE).endsWith(CommandAction.HALT);
    assertThat(barrierHost().state()).isEqualTo(BarrierHostState.HALTED);
  }

  /// A worker writes the row of an upgrade when it begins it, which may be long after the start.
  @Test
  void aMigrationThatHasNoRowYetIsAbortedWithItsBarrier() throws Exception {
    beginWithMigration();
    BarrierMigrator migrator = server().bean(BarrierMigrator.class);
    var locked = new CountDownLatch(1);
    var aborted = new CountDownLatch(1);
    CompletableFuture<Void> withoutRow = CompletableFuture.runAsync(() -> holdDevice(locked, aborted));
    locked.await();

    migrator.migrate(barrier());
    tables().barriers().recordAbort(id, "ann", "wrong site");
    MigrationResult result =
        await()
            .atMost(Duration.ofMinutes(1))
            .ignoreException(TemporalUnavailable.class)
            .until(() -> migrator.migrate(barrier()), _ -> true);
    aborted.countDown();
    withoutRow.join();

    assertThat(result.isRunning()).isTrue();
    assertThat(result().outcome()).isEqualTo(Outcome.ABORTED);
  }

  /// As after a server that was killed, or a pass that had read the row before the abort.
  @Test
  void aMigrationThatNoPassHasAbortedIsAbortedWhileTheHostsResume() throws Exception {
    beginWithMigration();
    server().bean(BarrierMigrator.class).migrate(barrier());
    Command prepare = host.awaitCommand(CommandAction.PREPARE);

    tables().barriers().recordAbort(id, "ann", "wrong site");
    tables().barriers().recordResuming(id, BarrierOutcome.ABORTED, "aborted by ann");
    host.awaitCommand(CommandAction.CANCEL);
    host.answer(prepare, "1.4.0", new Cancelled());

    assertThat(result().outcome()).isEqualTo(Outcome.ABORTED);
  }

  @Test
  void aDeadlineThatComesDuringAPassLeavesNoHostPending() {
    HostId halted = new HostId("halted");
    begin(new BarrierMigration.Approval(), WhenNotHalted.CONTINUE, Map.of(device.name(), List.of(host.id(), halted)));
    tables().hosts().recordHalted(id, halted);

    BarrierStatus status = haltHosts(new MinutesClock(barrier().deadlineAt().minusSeconds(90)));

    assertThat(status.decision()).isInstanceOf(BarrierDecision.Migrate.class);
    assertThat(status.counts()).isEqualTo(new BarrierCounts(0, 1, 1, 0));
    assertThat(status.missing()).containsExactly(host.id() + ": it has not answered");
  }

  /// A minute passes with each reading.
  private static final class MinutesClock implements InstantSource {
    private Instant next;

    MinutesClock(Instant first) {
      this.next = first;
    }

    @Override
    public Instant instant() {
      Instant now = next;
      next = now.plus(Duration.ofMinutes(1));
      return now;
    }
  }

  private BarrierStatus haltHosts(InstantSource clock) {
    var steps =
        new BarrierStepsActivities(
            tables(),
            server().bean(BarrierCommandIssuer.class),
            server().bean(BarrierMigrator.class),
            server().bean(BarrierRolloutStarter.class),
            clock);
    var input =
        new BarrierInput(id.tenant(), id.name(), InProcessServer.PACKAGE, Optional.empty(), barrier().untilAt());
    TestActivityEnvironment environment = TestActivityEnvironment.newInstance();
    try {
      environment.registerActivitiesImplementations(steps);
      return environment
          .newActivityStub(
              BarrierSteps.class, ActivityOptions.newBuilder().setStartToCloseTimeout(Duration.ofMinutes(1)).build())
          .haltHosts(input);
    } finally {
      environment.close();
    }
  }

  private void holdDevice(CountDownLatch locked, CountDownLatch end) {
    tables()
        .rollouts()
        .database()
        .inTransaction(() -> {
          var _ = tables().rollouts().common().devices().lock(device);
          locked.countDown();
          try {
            return end.await(1, TimeUnit.MINUTES);
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  /// The device is upgraded while another one is to halt.
  private void beginWithMigration() {
    begin(
        new BarrierMigration.DeviceMigration(device.name(), Optional.empty(), "1.5.0"),
        WhenNotHalted.ABORT,
        Map.of("of-" + id.name(), List.of(new HostId("of-" + id.name()))));
  }

  private BarrierRepositories tables() {
    return server().bean(BarrierRepositories.class);
  }

  private void begin() {
    begin(new BarrierMigration.Approval(), WhenNotHalted.ABORT, Map.of(device.name(), List.of(host.id())));
  }

  /// Records the barrier; its reconciler begins the workflow, as after the loss of a server.
  private void begin(BarrierMigration migration, WhenNotHalted whenNotHalted, Map<String, List<HostId>> devices) {
    var spec =
        new BarrierSpec(
            InProcessServer.PACKAGE,
            "name == \"%s\"".formatted(device.name()),
            false,
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            whenNotHalted,
            migration,
            Optional.empty());
    Instant now = Instant.now();
    var barrier =
        new NewBarrier(
            id,
            InProcessServer.PACKAGE,
            BarrierJson.write(spec),
            spec.migratedDevice(),
            "a migration by ann",
            new TreeMap<>(devices),
            now.plus(spec.deadline()),
            now.plus(spec.maxHalt()));
    tables().rollouts().database().inTransaction(() -> tables().barriers().create(barrier, "ann"));
  }

  private void sendContinue() {
    server()
        .bean(BarrierWorkflowClient.class)
        .update(id, new BarrierRequest(UUID.randomUUID().toString(), BarrierAction.CONTINUE, "ann", "", "127.0.0.1"));
  }

  private void awaitState(BarrierState state) {
    await().atMost(Duration.ofMinutes(1)).untilAsserted(() -> assertThat(barrier().state()).isEqualTo(state));
  }

  private BarrierRow barrier() {
    return tables().barriers().find(id).orElseThrow();
  }

  private BarrierHostRow barrierHost() {
    return tables().hosts().listAll(id.tenant(), id.name()).getFirst();
  }
}
