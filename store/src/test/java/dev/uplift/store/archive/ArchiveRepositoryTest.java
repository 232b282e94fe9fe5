package dev.uplift.store.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.Step;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.PageRequest;
import dev.uplift.store.archive.ArchiveBatch.Position;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.barrier.BarrierRepository;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.store.command.CommandKey;
import dev.uplift.store.command.CommandRepository;
import dev.uplift.store.command.CommandRow;
import dev.uplift.store.command.SignedCommand;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRollouts;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutTargetRepository;
import dev.uplift.store.upgrade.FailureRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeEnd.EndReason;
import dev.uplift.store.upgrade.UpgradeRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class ArchiveRepositoryTest extends DatabaseScenario {
  private static final Release OS = new Release("os", "1.5");
  private static final Duration YEAR = Duration.ofDays(365);
  private static final HostId LEFT = new HostId("left");
  private static final UpgradeEnd DONE = new UpgradeEnd(Outcome.UPGRADED, Optional.empty(), "[]");
  private static final UpgradeEnd FAILED =
      new UpgradeEnd(
          Outcome.ROLLED_BACK, Optional.of(new EndReason("error", "health", "final", "does not answer")), "[]");

  private ArchiveRepository archive = database.repository(ArchiveRepository.class);
  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private final FailureRepository failures = database.repository(FailureRepository.class);
  private CommandRepository commands = database.repository(CommandRepository.class);
  private RolloutRepository rollouts = database.repository(RolloutRepository.class);

  @BeforeEach
  void open() {
    archive = database.repository(ArchiveRepository.class);
    upgrades = database.repository(UpgradeRepository.class);
    commands = database.repository(CommandRepository.class);
    rollouts = database.repository(RolloutRepository.class);
  }

  @Test
  void anUpgradeLeavesWithAllOfItsRows() {
    begin("u1", "site");
    CommandRow prepare = create("u1", Step.PREPARE);
    CommandRow upgrade = create("u1", Step.UPGRADE);
    commands.cancel(upgrade.key(), (basis, _) -> new SignedCommand(basis.id(), "cancel", "signed"));
    commands.recordOutcome(tenant, LEFT, prepare.id(), "ok", "a log");
    commands.recordOutcome(tenant, LEFT, prepare.id(), "no", "");
    upgrades.recordEnd(tenant, "u1", DONE);
    begin("other", "site");
    create("other", Step.PREPARE);
    clock.advance(YEAR);

    List<String> copied = new ArrayList<>();
    int deleted =
        database.inTransaction(() -> {
          ArchiveBatch batch = archive.lockUpgrades(tenant, Optional.empty(), clock.instant(), 10);
          archive.copy(
              batch,
              (table, row) -> {
                assertThat(row.get("tenant")).isEqualTo(tenant);
                copied.add(table);
                if (table.equals("upgrade")) {
                  assertThat(row).containsEntry("id", "u1").containsEntry("ended_at", upgradeEnd()).containsKey("plan");
                } else if (Objects.equals(row.get("id"), prepare.id())) {
                  assertThat(row).containsEntry("log", "a log").containsEntry("generation", 1);
                }
              });
          return archive.delete(batch);
        });

    assertThat(copied).containsExactly("upgrade", "command", "command", "command", "late_outcome");
    assertThat(deleted).isEqualTo(5);
    assertThat(upgrades.find(tenant, "u1")).isEmpty();
    assertThat(commands.timeline(tenant, "u1")).isEmpty();
    assertThat(commands.timeline(tenant, "other")).hasSize(1);
    assertThat(create("other", Step.UPGRADE).epoch()).isGreaterThan(upgrade.epoch());
  }

  private Instant upgradeEnd() {
    return upgrades.find(tenant, "u1").orElseThrow().endedAt().orElseThrow();
  }

  @Test
  void whatRunsOrIsYoungStays() {
    begin("runs", "site-1");
    end("old", "site-2", DONE);
    clock.advance(YEAR);
    Instant before = clock.instant();
    end("young", "site-3", DONE);

    assertThat(locked(before)).containsExactly("old");
  }

  @Test
  void aFailureThatCountsStaysUntilItIsClearedOrTheDeviceSucceeds() {
    end("failed", "site", FAILED);
    clock.advance(YEAR);
    assertThat(locked(clock.instant())).isEmpty();

    end("again", "site", DONE);
    clock.advance(YEAR);

    // The success is what clears the failure, so it goes after it.
    assertThat(moved()).containsExactly("failed");
    assertThat(failures.findFailureSinceSuccess(device("site"), OS)).isEmpty();
    assertThat(moved()).containsExactly("again");

    end("failed-2", "site", FAILED);
    failures.clearFailures(device("site"), OS);
    clock.advance(YEAR);
    assertThat(moved()).containsExactly("failed-2");
    assertThat(failures.findFailureSinceSuccess(device("site"), OS)).isEmpty();
  }

  @Test
  void aRolloutKeepsItsUpgradesUntilItLeavesItself() {
    RolloutId north = new RolloutId(tenant, "north");
    rollouts.create(
        new NewRollout(north, "", OS, "{}", "{}", "{}", RolloutState.RUNNING, "ann", Optional.empty(), 0),
        new RolloutMembership(List.of(new NewWave(1, 0, "all", List.of("site"))), List.of()));
    rollouts.startWave(north, 1);
    var targets = database.repository(RolloutTargetRepository.class);
    String upgrade = targets.markStarting(north, List.of("site"), false).getFirst().upgrade().orElseThrow();
    end(upgrade, "site", DONE);
    clock.advance(YEAR);

    assertThat(locked(clock.instant())).isEmpty();
    assertThat(database.inTransaction(() -> archive.lockRollout(tenant, clock.instant())).isEmpty()).isTrue();

    rollouts.end(north, RolloutOutcome.ABORTED);
    clock.advance(YEAR);
    List<String> copied = new ArrayList<>();
    database.inTransaction(() -> {
      ArchiveBatch batch = archive.lockRollout(tenant, clock.instant());
      archive.copy(batch, (table, _) -> copied.add(table));
      return archive.delete(batch);
    });

    assertThat(copied).startsWith("rollout", "rollout_wave").contains("rollout_target");
    assertThat(rollouts.find(north)).isEmpty();
    assertThat(moved()).containsExactly(upgrade);
  }

  @Test
  void theAbortedRolloutThatKeepsAPolicyFromBeginningAgainStaysUntilThePolicyGoesOn() {
    PolicyRepository policies = database.repository(PolicyRepository.class);
    var policy = new PolicyId(tenant, "stores");
    policies.put(new NewPolicy(policy, "", "", OS.packageName(), 0, "{}"), "ann");
    var _ = policies.setEnabled(policy, true, "ann");
    clock.advance(Duration.ofMinutes(1));
    endRollout("stores-1", policy, RolloutOutcome.UPGRADED);
    RolloutId aborted = endRollout("stores-2", policy, RolloutOutcome.ABORTED);
    assertThat(movedRollouts()).containsExactly("stores-1");

    var _ = policies.setEnabled(policy, false, "ann");
    var _ = policies.setEnabled(policy, true, "ann");
    assertThat(movedRollouts()).as("enabled again").containsExactly(aborted.name());
    clock.advance(Duration.ofMinutes(1));

    endRollout("stores-3", policy, RolloutOutcome.ABORTED);
    assertThat(movedRollouts()).isEmpty();
    endRollout("stores-4", policy, RolloutOutcome.UPGRADED);
    assertThat(movedRollouts()).as("a newer one was begun").containsExactly("stores-3", "stores-4");

    endRollout("stores-5", policy, RolloutOutcome.ABORTED);
    var _ = policies.setEnabled(policy, false, "ann");
    assertThat(movedRollouts()).as("disabled").containsExactly("stores-5");
  }

  private RolloutId endRollout(String name, PolicyId policy, RolloutOutcome outcome) {
    RolloutId id = new RolloutId(tenant, name);
    rollouts.create(
        new NewRollout(id, "", OS, "{}", "{}", "{}", RolloutState.RUNNING, "ann", Optional.empty(), 0),
        new RolloutMembership(List.of(new NewWave(1, 0, "all", List.of("site"))), List.of()));
    database.repository(PolicyRollouts.class).setPolicy(id, policy);
    var _ = rollouts.end(id, outcome);
    clock.advance(Duration.ofMinutes(1));
    return id;
  }

  /// Moves all rollouts that can be moved.
  private List<Object> movedRollouts() {
    List<Object> moved = new ArrayList<>();
    ArchiveBatch batch;
    do {
      batch =
          database.inTransaction(() -> {
            ArchiveBatch found = archive.lockRollout(tenant, clock.instant());
            if (!found.isEmpty()) {
              archive.delete(found);
            }
            return found;
          });
      moved.addAll(batch.ids());
    } while (!batch.isEmpty());
    return moved;
  }

  @Test
  void aBarrierLeavesWithItsHostsOnceItHasEndedAndItsRolloutHasLeft() {
    BarrierRepository barriers = database.repository(BarrierRepository.class);
    BarrierId id = new BarrierId(tenant, "schema-7");
    var hosts = new TreeMap<>(Map.of("site", List.of(new HostId("left"), new HostId("right"))));
    Instant deadline = clock.instant().plusSeconds(600);
    var barrier =
        new NewBarrier(id, "till", "{}", Optional.empty(), "halted", hosts, deadline, deadline.plusSeconds(3000));
    database.inTransaction(() -> barriers.create(barrier, "ann"));
    RolloutId follows = new RolloutId(tenant, "barrier-schema-7");
    rollouts.create(
        new NewRollout(follows, "", OS, "{}", "{}", "{}", RolloutState.RUNNING, "ann", Optional.empty(), 0),
        new RolloutMembership(List.of(new NewWave(1, 0, "all", List.of("site"))), List.of()));
    barriers.recordResuming(id, BarrierOutcome.COMPLETED, "continued by ann");
    clock.advance(YEAR);
    assertThat(movedBarrier()).as("open").isEmpty();
    barriers.recordEnd(id, Optional.of(follows.name()));
    Instant ended = clock.instant();
    assertThat(database.inTransaction(() -> archive.lockBarrier(tenant, ended)).isEmpty()).as("too young").isTrue();
    clock.advance(YEAR);
    assertThat(movedBarrier()).as("its rollout runs").isEmpty();

    rollouts.end(follows, RolloutOutcome.UPGRADED);
    clock.advance(YEAR);
    database.inTransaction(() -> archive.delete(archive.lockRollout(tenant, clock.instant())));

    assertThat(movedBarrier()).containsExactly("barrier", "barrier_host", "barrier_host");
    assertThat(barriers.find(id)).isEmpty();
    assertThat(database.inTransaction(() -> barriers.create(barrier, "ann")).isNew()).as("the name is free").isTrue();
  }

  private List<String> movedBarrier() {
    List<String> copied = new ArrayList<>();
    int deleted =
        database.inTransaction(() -> {
          ArchiveBatch batch = archive.lockBarrier(tenant, clock.instant());
          copied.clear();
          archive.copy(batch, (table, _) -> copied.add(table));
          return archive.delete(batch);
        });
    assertThat(deleted).isEqualTo(copied.size());
    return copied;
  }

  @Test
  void theSearchGoesOnWhereItEnded() {
    for (int i = 0; i < 5; i++) {
      end("u" + i, "site-" + i, DONE);
      clock.advance(Duration.ofSeconds(1));
    }
    clock.advance(YEAR);

    List<Object> found = new ArrayList<>();
    Optional<Position> from = Optional.empty();
    do {
      Optional<Position> after = from;
      ArchiveBatch batch = database.inTransaction(() -> archive.lockUpgrades(tenant, after, clock.instant(), 2));
      found.addAll(batch.ids());
      from = batch.end();
    } while (from.isPresent());

    assertThat(found).containsExactlyInAnyOrder("u4", "u3", "u2", "u1", "u0");
  }

  @Test
  void whatOneServerHasLockedOthersSkip() {
    end("u1", "site-1", DONE);
    clock.advance(YEAR);

    database.inTransaction(() -> {
      assertThat(locked(clock.instant())).containsExactly("u1");
      assertThat(CompletableFuture.supplyAsync(() -> locked(clock.instant())).join()).isEmpty();
      return true;
    });
  }

  @Test
  void auditLeavesFromItsOldEnd() {
    var audit = database.repository(AuditRepository.class);
    audit.append(new AuditEntry(tenant, "ann", "device.put", "device/a", "", ""));
    clock.advance(YEAR);
    audit.append(new AuditEntry(tenant, "ann", "device.put", "device/b", "", ""));
    List<Object> targets = new ArrayList<>();

    database.inTransaction(() -> {
      ArchiveBatch batch = archive.lockAudit(tenant, clock.instant(), 10);
      archive.copy(batch, (_, row) -> targets.add(row.get("target")));
      return archive.delete(batch);
    });

    assertThat(targets).containsExactly("device/a");
    assertThat(audit.list(tenant, Optional.empty(), PageRequest.first(10)).rows())
        .extracting(row -> row.entry().target())
        .containsExactly("device/b");
  }

  @Test
  void outsideOfATransactionNothingIsLocked() {
    assertThatThrownBy(() -> archive.lockRollout(tenant, clock.instant())).isInstanceOf(IllegalStateException.class);
  }

  private void begin(String id, String device) {
    upgrades.createIfAbsent(new NewUpgrade(id, device(device), OS, "ann", "{}", "run-1"));
  }

  private void end(String id, String device, UpgradeEnd end) {
    begin(id, device);
    upgrades.recordEnd(tenant, id, end);
  }

  private CommandRow create(String upgrade, Step step) {
    return commands.createIfAbsent(
        new CommandKey(tenant, upgrade, LEFT, step, 1),
        new Release("os", "1"),
        new WaitingActivity("upgrade/site", "7"),
        basis -> new SignedCommand(basis.id(), "body", "signed"));
  }

  private List<Object> locked(Instant before) {
    return database.inTransaction(() -> archive.lockUpgrades(tenant, Optional.empty(), before, 10)).ids();
  }

  private List<Object> moved() {
    return database.inTransaction(() -> {
      ArchiveBatch batch = archive.lockUpgrades(tenant, Optional.empty(), clock.instant(), 10);
      archive.delete(batch);
      return batch.ids();
    });
  }
}
