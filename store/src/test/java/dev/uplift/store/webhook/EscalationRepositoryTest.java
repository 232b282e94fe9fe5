package dev.uplift.store.webhook;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.barrier.BarrierCounts;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.webhook.WebhookId;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.barrier.BarrierRepository;
import dev.uplift.store.barrier.NewBarrier;
import dev.uplift.store.event.TenantEventRepository;
import dev.uplift.store.event.TenantEventRow;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.upgrade.NewUpgrade;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.store.upgrade.UpgradeRepository;
import dev.uplift.store.upgrade.UpgradeWait;
import dev.uplift.store.upgrade.UpgradeWaitRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class EscalationRepositoryTest extends DatabaseScenario {
  private EscalationRepository escalations = database.repository(EscalationRepository.class);
  private RolloutRepository rollouts = database.repository(RolloutRepository.class);
  private BarrierRepository barriers = database.repository(BarrierRepository.class);
  private UpgradeRepository upgrades = database.repository(UpgradeRepository.class);
  private String upgrade = "";
  private Instant until = Instant.EPOCH;

  @BeforeEach
  void open() {
    escalations = database.repository(EscalationRepository.class);
    rollouts = database.repository(RolloutRepository.class);
    barriers = database.repository(BarrierRepository.class);
    upgrades = database.repository(UpgradeRepository.class);
  }

  @Test
  void aWaitThatLastsIsToldOncePerWebhookAndWait() {
    createRollout();
    enable("soon", 60);
    enable("late", 600);
    enable("never", 0);
    pause("paused by ann");

    clock.advance(Duration.ofSeconds(59));
    assertThat(escalate()).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(escalate()).hasSize(1);
    assertThat(escalate()).as("once").hasSize(1);
    clock.advance(Duration.ofMinutes(10));
    assertThat(escalate()).hasSize(2);
    rollouts.setState(north(), RolloutState.RUNNING, Optional.empty(), "", Optional.empty());
    assertThat(escalate()).hasSize(2);
    pause("paused again");
    clock.advance(Duration.ofMinutes(1));

    assertThat(escalate())
        .extracting(row ->
            "%s %s %s %s %s"
                .formatted(
                    row.webhook().orElseThrow(),
                    row.kind(),
                    row.rollout().orElseThrow(),
                    row.result().orElseThrow(),
                    row.message().orElseThrow()))
        .containsExactly(
            "soon rollout.wait-escalated north paused paused by ann",
            "late rollout.wait-escalated north paused paused by ann",
            "soon rollout.wait-escalated north paused paused again");
  }

  @Test
  void aBarrierThatWaitsForAPersonIsToldOncePerWebhook() {
    enable("soon", 60);
    enable("late", 600);
    BarrierId schema = createBarrier("schema-7", Optional.empty());
    Instant resumes = barriers.find(schema).orElseThrow().untilAt();
    clock.advance(Duration.ofMinutes(5));
    assertThat(escalate()).as("before its hosts have halted").isEmpty();
    halt(schema);

    clock.advance(Duration.ofSeconds(59));
    assertThat(escalate()).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(escalate()).hasSize(1);
    assertThat(escalate()).as("once").hasSize(1);
    clock.advance(Duration.ofMinutes(10));

    assertThat(escalate())
        .extracting(row ->
            "%s %s %s %s %s until %s"
                .formatted(
                    row.webhook().orElseThrow(),
                    row.kind(),
                    row.barrier().orElseThrow(),
                    row.packageName().orElseThrow(),
                    row.result().orElseThrow(),
                    row.untilAt().orElseThrow()))
        .containsExactly(
            "soon barrier.wait-escalated schema-7 till halted until " + resumes,
            "late barrier.wait-escalated schema-7 till halted until " + resumes);
  }

  @Test
  void aBarrierThatWaitsForNoPersonIsNotTold() {
    enable("soon", 60);
    BarrierId byDevice = createBarrier("by-device", Optional.of("db-1"));
    BarrierId continued = createBarrier("continued", Optional.empty());
    BarrierId aborted = createBarrier("aborted", Optional.empty());
    BarrierId resuming = createBarrier("resuming", Optional.empty());
    List.of(byDevice, continued, aborted, resuming).forEach(this::halt);
    barriers.recordContinue(continued, "ann");
    barriers.recordAbort(aborted, "ann", "too late");
    barriers.recordResuming(resuming, BarrierOutcome.EXPIRED, "the time is over");

    clock.advance(Duration.ofMinutes(10));

    assertThat(escalate()).isEmpty();
  }

  @Test
  void anUpgradeThatWaitsIsToldOncePerWebhookAndWait() {
    enable("soon", 60);
    enable("late", 600);
    createUpgrade("north.site-7.1");
    recordWait("approval", "another person than ann to approve it");

    clock.advance(Duration.ofSeconds(59));
    assertThat(escalate()).isEmpty();
    clock.advance(Duration.ofSeconds(1));
    assertThat(escalate()).hasSize(1);
    clock.advance(Duration.ofMinutes(10));
    assertThat(escalate()).hasSize(2);
    recordNoWait();
    clock.advance(Duration.ofMinutes(10));
    assertThat(escalate()).hasSize(2);
    recordWait("offline", "a heartbeat of left");
    clock.advance(Duration.ofMinutes(1));

    assertThat(escalate())
        .allSatisfy(row -> {
          assertThat(row.kind()).isEqualTo("upgrade.wait-escalated");
          assertThat(row.rollout()).contains("north");
          assertThat(row.upgrade()).contains("north.site-7.1");
          assertThat(row.device()).contains("site-7");
          assertThat(row.packageName()).contains("os");
          assertThat(row.version()).contains("1.5");
          assertThat(row.untilAt()).contains(until);
        })
        .extracting(row ->
            "%s %s %s".formatted(row.webhook().orElseThrow(), row.result().orElseThrow(), row.message().orElseThrow()))
        .containsExactly(
            "soon approval another person than ann to approve it",
            "late approval another person than ann to approve it",
            "soon offline a heartbeat of left");
  }

  @Test
  void anUpgradeThatHasEndedWaitsNoLonger() {
    enable("soon", 60);
    createUpgrade("u-1");
    recordWait("person", "an operator to decide");
    clock.advance(Duration.ofMinutes(1));
    assertThat(escalate()).hasSize(1);

    upgrades.recordEnd(tenant, "u-1", new UpgradeEnd(Outcome.ABORTED, Optional.empty(), "[]"));

    assertThat(escalations.deleteEnded()).isEqualTo(1);
    UpgradeWaitRepository waits = database.repository(UpgradeWaitRepository.class);
    assertThat(waits.deleteEnded()).isEqualTo(1);
    assertThat(waits.record(tenant, "u-1", Optional.empty(), clock.instant())).as("it has ended").isFalse();
  }

  @Test
  void aReportOfAWaitThatIsLateCountsNoMore() {
    enable("soon", 60);
    createUpgrade("u-1");
    Instant first = clock.instant();
    var wait = new UpgradeWait("resume", "resume", first, Optional.empty());
    UpgradeWaitRepository waits = database.repository(UpgradeWaitRepository.class);
    assertThat(waits.record(tenant, "u-1", Optional.of(wait), first)).isTrue();
    assertThat(waits.record(tenant, "u-1", Optional.of(wait), first)).as("again").isTrue();
    assertThat(waits.record(tenant, "u-1", Optional.empty(), first.plusSeconds(1))).isTrue();

    assertThat(waits.record(tenant, "u-1", Optional.of(wait), first)).isFalse();

    clock.advance(Duration.ofMinutes(10));
    assertThat(escalate()).isEmpty();
  }

  @Test
  void aWaitThatHasEndedIsForgotten() {
    enable("soon", 60);
    createRollout();
    pause("paused by ann");
    BarrierId schema = createBarrier("schema-7", Optional.empty());
    halt(schema);
    clock.advance(Duration.ofMinutes(1));
    assertThat(escalate()).hasSize(2);
    assertThat(escalations.deleteEnded()).isZero();

    barriers.recordContinue(schema, "ann");
    assertThat(escalations.deleteEnded()).isEqualTo(1);
    rollouts.setState(north(), RolloutState.RUNNING, Optional.empty(), "", Optional.empty());
    assertThat(escalations.deleteEnded()).isEqualTo(1);
  }

  private void createUpgrade(String id) {
    upgrade = id;
    upgrades.create(new NewUpgrade(id, device("site-7"), new Release("os", "1.5"), "ann", "{}", "", Optional.empty()));
    until = clock.instant().plus(Duration.ofDays(1));
  }

  private void recordWait(String reason, String message) {
    record(Optional.of(new UpgradeWait(reason, message, clock.instant(), Optional.of(until))));
  }

  private void recordNoWait() {
    record(Optional.empty());
  }

  private void record(Optional<UpgradeWait> wait) {
    assertThat(database.repository(UpgradeWaitRepository.class).record(tenant, upgrade, wait, clock.instant()))
        .isTrue();
  }

  private void halt(BarrierId id) {
    barriers.recordHalted(id, new BarrierCounts(0, 1, 0, 0));
  }

  private RolloutId north() {
    return new RolloutId(tenant, "north");
  }

  private void createRollout() {
    rollouts.create(
        new NewRollout(
            north(),
            "north",
            new Release("os", "1.5"),
            "{}",
            "{}",
            "{}",
            RolloutState.RUNNING,
            "ann",
            Optional.empty(),
            0),
        new RolloutMembership(List.of(new NewWave(1, 0, "one", List.of("a"))), List.of()));
  }

  private void pause(String message) {
    rollouts.setState(north(), RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), message, Optional.empty());
  }

  private BarrierId createBarrier(String name, Optional<String> migratedBy) {
    BarrierId id = new BarrierId(tenant, name);
    var hosts = new TreeMap<>(Map.of(name, List.of(new HostId(name + "-1"))));
    var barrier =
        new NewBarrier(
            id,
            "till",
            "{}",
            migratedBy,
            "a migration by ann",
            hosts,
            clock.instant().plusSeconds(600),
            clock.instant().plusSeconds(3600));
    database.inTransaction(() -> barriers.create(barrier, "ann"));
    return id;
  }

  /// Returns all events of waits that the tenant has then. Other tenants have waits too.
  private List<TenantEventRow> escalate() {
    TenantEventRepository events = database.repository(TenantEventRepository.class);
    escalations.escalate();
    events.numberNew(tenant);
    return events.listAfter(tenant, 0, 100).stream().filter(row -> row.kind().endsWith(".wait-escalated")).toList();
  }

  private void enable(String name, long escalateAfter) {
    WebhookRepository webhooks = database.repository(WebhookRepository.class);
    WebhookId id = new WebhookId(tenant, name);
    webhooks.create(new WebhookSpec(id, "https://example.com/", "", List.of("release.*"), escalateAfter), "x", "ann");
    database.repository(WebhookDeliveryRepository.class).begin(id, 0);
    webhooks.enable(id, "ann");
  }
}
