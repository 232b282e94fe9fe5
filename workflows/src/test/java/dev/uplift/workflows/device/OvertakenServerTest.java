package dev.uplift.workflows.device;

import static dev.uplift.fleet.ErrorClass.NEEDS_PERSON;
import static dev.uplift.workflows.device.FakeFleet.fails;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.RequestedUpgrade;
import dev.uplift.temporaldev.process.NetworkLink;
import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.device.PendingWait.UpgradeWaitReason;
import dev.uplift.workflows.device.procedure.DeviceUpgradeImpl;
import io.temporal.client.WorkflowClient;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/// A server is cut off from Temporal while it reads the tables, and goes on when another one has long continued in its
/// place.
final class OvertakenServerTest extends RealTemporalScenario {
  private final NetworkLink link = new NetworkLink(TEMPORAL.port());
  private final CountDownLatch reads = new CountDownLatch(1);
  private final CountDownLatch readsOn = new CountDownLatch(1);

  @Override
  void startWorker() {
    fleet.host("left").needsReboot().goesOnTrial();
  }

  @Test
  void itDoesNotRecordThatThereWasNothingToDo() throws Exception {
    fleet.on("commit left", atFirst(fails(NEEDS_PERSON, "read-only")));
    WorkflowServiceStubs service = RealTemporal.connect("127.0.0.1:" + link.port());
    WorkerFactory overtaken = WorkerFactory.newInstance(WorkflowClient.newInstance(service, Payloads.clientOptions()));
    Worker worker = overtaken.newWorker(device.name(), StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(DeviceUpgradeImpl.class);
    worker.registerActivitiesImplementations(fleet, new SlowRecords());
    overtaken.start();
    start("left");
    assertThat(reads.await(1, TimeUnit.MINUTES)).isTrue();

    link.cut();
    super.startWorker();
    // Until the other one has begun, nobody answers queries.
    await().atMost(Duration.ofMinutes(1)).ignoreExceptions().untilAsserted(() -> awaitWait(UpgradeWaitReason.PERSON));
    records.runs("left", "1.5.0");
    readsOn.countDown();
    // It ends what it has begun, and would record an end by then.
    overtaken.shutdown();
    link.restore();
    overtaken.awaitTermination(1, TimeUnit.MINUTES);

    assertThat(overtaken.isTerminated()).isTrue();
    assertThat(records.results()).isEmpty();
    running().retryStep(LEFT, ANN);
    assertThat(result().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(records.results()).extracting(UpgradeResult::outcome).containsExactly(Outcome.UPGRADED);
    service.shutdownNow();
    link.close();
  }

  /// Those of the overtaken server.
  private final class SlowRecords implements DeviceRecords {
    @Override
    public StartCheck begin(UpgradePlan plan) {
      reads.countDown();
      try {
        assertThat(readsOn.await(2, TimeUnit.MINUTES)).isTrue();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      return records.begin(plan);
    }

    @Override
    public boolean admitProceed(UpgradePlan plan) {
      return records.admitProceed(plan);
    }

    @Override
    public WindowStatus checkWindow(
        DeviceId device, String additional, Duration need, Instant before, Optional<RequestedUpgrade> waiting) {
      return records.checkWindow(device, additional, need, before, waiting);
    }

    @Override
    public void recordWait(DeviceId device, String upgrade, Optional<PendingWait> wait, Instant at) {
      records.recordWait(device, upgrade, wait, at);
    }

    @Override
    public UpgradeResult end(UpgradePlan plan, UpgradeResult result) {
      return records.end(plan, result);
    }
  }
}
