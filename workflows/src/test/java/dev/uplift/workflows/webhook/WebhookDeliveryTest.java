package dev.uplift.workflows.webhook;

import static io.temporal.api.enums.v1.IndexedValueType.INDEXED_VALUE_TYPE_KEYWORD;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.workflows.Payloads;
import dev.uplift.workflows.SearchAttributeKeys;
import dev.uplift.workflows.StoredHistories;
import dev.uplift.workflows.TaskQueues;
import io.temporal.api.enums.v1.EventType;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowStub;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.failure.ApplicationFailure;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.worker.Worker;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Webhooks on the test server with skipped time. Every history is replayed.
@Timeout(110)
final class WebhookDeliveryTest {
  private static final WebhookInput INPUT = new WebhookInput("acme", "chat");
  private static final String WORKFLOW = WebhookInput.workflowId("acme", "chat");

  private final TestWorkflowEnvironment environment =
      TestWorkflowEnvironment.newInstance(
          TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(Payloads.clientOptions()).build());
  private final WorkflowClient client = environment.getWorkflowClient();
  private final FakeReceiver receiver = new FakeReceiver();
  private String firstRun = "";

  @BeforeEach
  void start() {
    SearchAttributeKeys.ALL.forEach(
        key -> environment.registerSearchAttribute(key.getName(), INDEXED_VALUE_TYPE_KEYWORD));
    Worker worker = environment.newWorker(TaskQueues.WEBHOOK, StoredHistories.PATIENT);
    worker.registerWorkflowImplementationTypes(WebhookDeliveryImpl.class);
    worker.registerActivitiesImplementations(receiver);
    environment.start();
  }

  @AfterEach
  void everyHistoryReplays() throws Exception {
    try (environment) {
      StoredWebhooksTest.STORED.replay(client.fetchHistory(WORKFLOW));
    }
  }

  @Test
  void newEventsAreSentWhenItIsToldAndNothingIsPolled() {
    after(Duration.ofHours(23), () -> webhook().deliver());
    after(Duration.ofHours(46), this::disable);

    run();

    assertThat(receiver.calls).containsExactly("sent", "sent", "disabled");
    StoredWebhooksTest.STORED.keep("told-and-disabled", client.fetchHistory(WORKFLOW));
  }

  @Test
  void aReceiverThatFailsIsTriedAgainAtItsTimeAndNotWhenThereIsMore() {
    receiver.fail(2, Duration.ofMinutes(10));
    Instant begin = now();
    after(Duration.ofMinutes(1), () -> webhook().deliver());
    after(Duration.ofHours(1), this::disable);

    run();

    assertThat(receiver.calls).containsExactly("failed", "failed", "sent", "disabled");
    assertThat(Duration.between(begin, receiver.times.get(2)))
        .isBetween(Duration.ofMinutes(20), Duration.ofMinutes(21));
    StoredWebhooksTest.STORED.keep("failing", client.fetchHistory(WORKFLOW));
  }

  @Test
  void aPersonWhoChangesItHasTheReceiverTriedAtOnce() {
    receiver.fail(1, Duration.ofHours(1));
    Instant begin = now();
    after(Duration.ofMinutes(2), () -> webhook().recheck());
    after(Duration.ofHours(3), this::disable);

    run();

    assertThat(receiver.calls).containsExactly("failed", "sent", "disabled");
    assertThat(Duration.between(begin, receiver.times.get(1))).isBetween(Duration.ofMinutes(2), Duration.ofMinutes(3));
    StoredWebhooksTest.STORED.keep("changed-while-failing", client.fetchHistory(WORKFLOW));
  }

  @Test
  void aWebhookThatIsDeletedWithoutAWordEndsWithinADay() {
    Instant begin = now();
    after(Duration.ofHours(1), receiver::disable);

    run();

    assertThat(receiver.calls).containsExactly("sent", "disabled");
    assertThat(Duration.between(begin, receiver.times.get(1)))
        .isBetween(WebhookDeliveryImpl.MAX_WAIT, WebhookDeliveryImpl.MAX_WAIT.plusMinutes(1));
    StoredWebhooksTest.STORED.keep("deleted", client.fetchHistory(WORKFLOW));
  }

  @Test
  void whatIsLeftIsSentAtOnce() {
    receiver.leave(2);
    after(Duration.ofMinutes(10), this::disable);

    run();

    assertThat(receiver.calls).containsExactly("sent", "sent", "sent", "disabled");
  }

  @Test
  void tablesThatCannotBeReachedAreTriedAgain() {
    receiver.breakNext(3);
    after(Duration.ofMinutes(10), this::disable);

    run();

    assertThat(receiver.calls).containsExactly("broken", "broken", "broken", "sent", "disabled");
  }

  @Test
  void theHistoryOfAReceiverThatFailsForLongIsBounded() {
    receiver.fail(2 * WebhookDeliveryImpl.MAX_DELIVERIES, Duration.ofMinutes(10));
    after(Duration.ofMinutes(10).multipliedBy(2 * WebhookDeliveryImpl.MAX_DELIVERIES + 10), this::disable);

    run();

    WorkflowExecutionHistory first = client.fetchHistory(WORKFLOW, firstRun);
    assertThat(first.getLastEvent().getEventType()).isEqualTo(EventType.EVENT_TYPE_WORKFLOW_EXECUTION_CONTINUED_AS_NEW);
    assertThat(first.getEvents()).hasSizeLessThan(15 * WebhookDeliveryImpl.MAX_DELIVERIES);
    assertThat(receiver.calls).endsWith("failed", "sent", "disabled");
  }

  private void disable() {
    receiver.disable();
    webhook().recheck();
  }

  private void run() {
    WebhookDelivery workflow = client.newWorkflowStub(WebhookDelivery.class, INPUT.workflowOptions());
    firstRun = WorkflowClient.start(workflow::run, INPUT).getRunId();
    WorkflowStub.fromTyped(webhook()).getResult(Void.class);
  }

  private WebhookDelivery webhook() {
    return client.newWorkflowStub(WebhookDelivery.class, WORKFLOW);
  }

  private void after(Duration time, Runnable what) {
    environment.registerDelayedCallback(time, what);
  }

  private Instant now() {
    return Instant.ofEpochMilli(environment.currentTimeMillis());
  }

  /// Records what the workflow asks for.
  private final class FakeReceiver implements WebhookSteps {
    final List<String> calls = new CopyOnWriteArrayList<>();
    final List<Instant> times = new CopyOnWriteArrayList<>();
    private boolean isDisabled;
    private int failures;
    private Duration pause = Duration.ZERO;
    private int broken;
    private int left;

    synchronized void disable() {
      isDisabled = true;
    }

    synchronized void fail(int times, Duration pause) {
      failures = times;
      this.pause = pause;
    }

    synchronized void breakNext(int times) {
      broken = times;
    }

    synchronized void leave(int times) {
      left = times;
    }

    @Override
    public synchronized WebhookReport deliver(WebhookInput input) {
      times.add(now());
      if (broken-- > 0) {
        calls.add("broken");
        throw ApplicationFailure.newFailure("the database is unavailable", "DatabaseUnavailable");
      }
      if (isDisabled) {
        calls.add("disabled");
        return WebhookReport.disabled(0, "disabled");
      }
      if (failures-- > 0) {
        calls.add("failed");
        return WebhookReport.failing(0, pause, "the receiver answered 500");
      }
      calls.add("sent");
      return WebhookReport.accepted(3, left-- > 0, "sent 3 events");
    }
  }
}
