package dev.uplift.activities.device;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.HostUpgradeScenario;
import dev.uplift.activities.InProcessServer;
import dev.uplift.activities.metrics.UpgradeMetrics;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.OfferedUpdates;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Progress;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.fleet.Step;
import dev.uplift.services.upgrade.DeviceFactsLoader;
import dev.uplift.store.PageRequest;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.audit.AuditRepository;
import dev.uplift.store.audit.AuditRow;
import dev.uplift.store.command.HeartbeatWait;
import dev.uplift.store.command.HeartbeatWaitRepository;
import dev.uplift.store.command.WaitingActivity;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.HostOffer;
import dev.uplift.store.upgrade.UpgradeEnd;
import dev.uplift.workflows.device.DeviceRecords.StartCheck;
import dev.uplift.workflows.device.DeviceRecords.WindowStatus;
import dev.uplift.workflows.device.HostReport;
import dev.uplift.workflows.device.UpgradePlan;
import dev.uplift.workflows.device.UpgradePlan.StartRequest;
import dev.uplift.workflows.device.UpgradeResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class DeviceRecordsActivitiesTest extends HostUpgradeScenario {
  private DeviceRecordsActivities records;

  @Override
  protected InProcessServer server() {
    return InProcessServer.shared();
  }

  @BeforeEach
  void open() {
    var repositories = server().repositories();
    records =
        new DeviceRecordsActivities(
            server().bean(UpgradeRecorder.class),
            repositories,
            server().bean(DeviceFactsLoader.class),
            server().bean(WindowStatusReader.class),
            server().bean(UpgradeMetrics.class),
            _ -> {},
            () -> "run-1");
  }

  @Test
  void upgradeStartsOnceHoweverOftenItIsRecorded() {
    StartCheck first = records.begin(plan(withoutResends()));

    assertThat(records.begin(plan(withoutResends()))).isEqualTo(first);
    assertThat(first.earlierResult()).isEmpty();
    assertThat(first.facts().kind()).isEqualTo("simulated");
    assertThat(first.facts().sequence()).isEqualTo(150);
  }

  @Test
  void firstOutcomeStaysAndIsReturnedToALaterStart() {
    records.begin(plan(withoutResends()));
    UpgradeResult first = ending(Outcome.ROLLED_BACK, Progress.ROLLED_BACK);

    assertThat(records.end(plan(withoutResends()), first)).isEqualTo(first);
    assertThat(records.end(plan(withoutResends()), ending(Outcome.UPGRADED, Progress.UPGRADED))).isEqualTo(first);

    assertThat(records.begin(plan(withoutResends())).earlierResult()).contains(first);
  }

  @Test
  void endRemovesTheWaitsForHeartbeatsOfItsHosts() {
    UpgradePlan plan = plan(withoutResends());
    records.begin(plan);
    HostId host = plan.hosts().getFirst();
    HeartbeatWaitRepository waits = server().repositories().heartbeatWaits();
    waits.put(
        new HeartbeatWait(
            plan.device().tenant(),
            host,
            Step.AWAIT_HEARTBEAT,
            plan.release(),
            "",
            "",
            "",
            new WaitingActivity(UpgradePlan.workflowId(plan.device()), "7")));

    records.end(plan, ending(Outcome.ROLLED_BACK, Progress.ROLLED_BACK));

    assertThat(waits.find(plan.device().tenant(), host)).isEmpty();
  }

  @Test
  void outcomeIsRecordedEvenIfTheStartIsMissing() {
    UpgradeResult result = ending(Outcome.UPGRADED, Progress.UPGRADED);

    assertThat(records.end(plan(withoutResends()), result)).isEqualTo(result);

    assertThat(recordedEnd().map(UpgradeEnd::outcome)).contains(Outcome.UPGRADED);
  }

  @Test
  void heldDeviceIsReportedWithItsAuthor() {
    server().hold(device, "spare part ordered", "bob");

    assertThat(records.begin(plan(withoutResends())).facts().held().orElseThrow())
        .isEqualTo("held by bob: spare part ordered");
  }

  @Test
  void aPinIsLookedForAgainOnlyOnceAnUpgradeHasWaited() {
    RequestedUpgrade upgrade = plan(withoutResends()).requestedUpgrade();
    server()
        .repositories()
        .pins()
        .set(device, InProcessServer.PACKAGE, Optional.of("1.4.0"), "certified", "bob", Optional.empty());

    assertThat(windowStatus(Optional.empty()).refusal()).isEmpty();
    WindowStatus status = windowStatus(Optional.of(upgrade));
    assertThat(status.open()).isTrue();
    assertThat(status.refusal().map(Reason::code)).contains("pinned");
    assertThat(status.refusal().map(Reason::message).orElseThrow()).contains("is pinned to 1.4.0 by bob: certified");
  }

  private WindowStatus windowStatus(Optional<RequestedUpgrade> waiting) {
    return records.checkWindow(device, "", Duration.ZERO, Instant.now().plusSeconds(60), waiting);
  }

  @Test
  void anUpgradeWhoseHostHasMovedToAnotherDeviceIsDeclined() {
    var elsewhere = new DeviceId(device.tenant(), device.name() + "-new");
    server().register(device, List.of(new HostId("spare-" + upgrade)));
    server().register(elsewhere, List.of(host.id()));

    UpgradeResult result = records.begin(plan(withoutResends())).earlierResult().orElseThrow();

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().map(Reason::code)).contains("hosts-moved");
    assertThat(result.reason().map(Reason::message))
        .contains("no longer on " + device.name() + ": " + host.id().value());
    assertThat(recordedEnd().map(UpgradeEnd::outcome)).contains(Outcome.DECLINED);
  }

  @Test
  void theRequestIsAuditedOnceWithTheRowWhoeverWritesIt() {
    UpgradePlan plan = requested(plan(withoutResends()));

    records.begin(plan);
    records.begin(plan);
    server().bean(UpgradeRecorder.class).record(plan, "run-1");

    assertThat(
            server()
                .bean(AuditRepository.class)
                .list(device.tenant(), Optional.of("upgrade/" + upgrade), PageRequest.first(10))
                .rows())
        .extracting(AuditRow::entry)
        .containsExactly(
            new AuditEntry(
                device.tenant(),
                "ann",
                "upgrade.start",
                "upgrade/" + upgrade,
                "192.0.2.7",
                plan.release() + " to " + device.name() + ", in its window"));
  }

  private static UpgradePlan requested(UpgradePlan plan) {
    return new UpgradePlan(
        plan.upgrade(),
        plan.device(),
        plan.hosts(),
        plan.release(),
        plan.options(),
        plan.origin().requested(new StartRequest("192.0.2.7", ", in its window", "digest")));
  }

  @Test
  void anUpgradeThatItsRolloutNoLongerWantsLeavesNoTrace() {
    UpgradePlan late = ofRollout(plan(withoutResends()), "gone");

    UpgradeResult result = records.begin(late).earlierResult().orElseThrow();

    assertThat(result.outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(result.reason().map(Reason::code)).contains("not-wanted");
    assertThat(server().repositories().upgrades().find(device.tenant(), upgrade)).isEmpty();
  }

  private static UpgradePlan ofRollout(UpgradePlan plan, String rollout) {
    return new UpgradePlan(
        plan.upgrade(),
        plan.device(),
        plan.hosts(),
        plan.release(),
        plan.options(),
        UpgradePlan.Origin.rollout(rollout, "rollout", false));
  }

  @Test
  void anUpgradeHasTriedWhatIsOfferedOnceItEnds() {
    offer("one");
    UpgradePlan plan = plan(withoutResends());

    StartCheck start = records.begin(plan);

    assertThat(start.facts().hosts().getFirst().offer()).contains(OfferedUpdates.State.NEW);
    assertThat(records.begin(plan)).isEqualTo(start);
    assertThat(offered()).isEqualTo(OfferedUpdates.State.NEW);
    records.end(plan, ending(Outcome.ROLLED_BACK, Progress.ROLLED_BACK));
    assertThat(offered()).isEqualTo(OfferedUpdates.State.FAILED);
    offer("two");
    assertThat(offered()).isEqualTo(OfferedUpdates.State.NEW);
  }

  @Test
  void anUpgradeThatIsDeclinedTriesNothing() {
    offer("one");
    records.begin(plan(withoutResends()));
    records.end(plan(withoutResends()), ending(Outcome.ROLLED_BACK, Progress.ROLLED_BACK));
    server().hold(device, "spare part ordered", "bob");
    UpgradePlan first = plan(withoutResends());
    var second =
        new UpgradePlan(
            first.upgrade() + "-2", first.device(), first.hosts(), first.release(), first.options(), first.origin());

    records.begin(second);

    assertThat(offered()).isEqualTo(OfferedUpdates.State.FAILED);
  }

  private OfferedUpdates.State offered() {
    return requireNonNull(
            server().repositories().hostOffers().findOfPackage(device.tenant(), InProcessServer.PACKAGE).get(host.id()))
        .state();
  }

  private void offer(String digest) {
    String text =
        """
        {"protocol_version":1,"drivers":["simulated"],"boot_id":"boot-1","instance":"one","state":"running",
        "at":"2026-11-25T12:00:00Z","offers":{"os":{"updates":3,"digest":"%s"}}}\
        """
            .formatted(digest);
    var info =
        new HostInfo(
            text, "0.1.0", "x86_64", List.of("simulated"), "boot-1", "one", "running", Map.of(), Instant.now());
    server()
        .repositories()
        .hosts()
        .recordInfo(
            device.tenant(), host.id(), info, List.of(), List.of(new HostOffer(InProcessServer.PACKAGE, digest, 3, 0)));
  }

  private UpgradeResult ending(Outcome outcome, Progress progress) {
    Reason reason = new Reason(Reason.Kind.ERROR, "disk-full", "/var: 12 MB left");
    return new UpgradeResult(
        outcome,
        Optional.of(reason),
        List.of(new HostReport(host.id(), progress, "1.4.0", false, Optional.of(reason))));
  }
}
