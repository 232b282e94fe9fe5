package dev.uplift.activities.temporal;

import static io.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_ACTIVITY;
import static io.temporal.api.enums.v1.TaskQueueType.TASK_QUEUE_TYPE_WORKFLOW;

import dev.uplift.workflows.TaskQueues;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.temporal.api.enums.v1.TaskQueueType;
import io.temporal.api.taskqueue.v1.TaskQueue;
import io.temporal.api.workflowservice.v1.DescribeTaskQueueRequest;
import io.temporal.api.workflowservice.v1.DescribeTaskQueueResponse;
import io.temporal.client.WorkflowClient;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Asks Temporal how many tasks of each queue wait and who polls it, and exports the answers: the work that all servers
/// together have not begun.
@Singleton
public final class TaskQueueMonitor {
  /// How often to ask.
  public static final Duration INTERVAL = Duration.ofSeconds(15);

  private static final Logger LOG = LoggerFactory.getLogger(TaskQueueMonitor.class);
  private static final double NANOS_PER_SECOND = 1e9;

  private record Queue(String name, TaskQueueType type) {
    Tags tags() {
      return Tags.of("task_queue", name, "type", typeName());
    }

    String typeName() {
      return type == TASK_QUEUE_TYPE_WORKFLOW ? "workflow" : "activity";
    }
  }

  private static final List<Queue> QUEUES =
      Stream.of(TaskQueues.UPGRADE, TaskQueues.ROLLOUT, TaskQueues.WEBHOOK)
          .flatMap(
              name -> Stream.of(new Queue(name, TASK_QUEUE_TYPE_WORKFLOW), new Queue(name, TASK_QUEUE_TYPE_ACTIVITY)))
          .toList();

  private final TemporalClients temporal;

  /// Those that Temporal has described at the last time.
  private final Map<Queue, DescribeTaskQueueResponse> found = new ConcurrentHashMap<>();

  public TaskQueueMonitor(TemporalClients temporal, MeterRegistry meters) {
    this.temporal = temporal;
    Gauge.builder("uplift.temporal.connected", found, each -> each.isEmpty() ? 0 : 1)
        .description("1 while Temporal answers this server")
        .register(meters);
    QUEUES.forEach(queue -> bind(queue, meters));
  }

  private void bind(Queue queue, MeterRegistry meters) {
    bind(
        queue,
        meters,
        "uplift.task.queue.backlog",
        "tasks that wait",
        each -> each.getStats().getApproximateBacklogCount());
    bind(
        queue,
        meters,
        "uplift.task.queue.backlog.age.seconds",
        "age of the oldest of them",
        each -> seconds(each.getStats().getApproximateBacklogAge()));
    bind(
        queue,
        meters,
        "uplift.task.queue.pollers",
        "pollers of all servers",
        DescribeTaskQueueResponse::getPollersCount);
  }

  private void bind(
      Queue queue,
      MeterRegistry meters,
      String name,
      String description,
      ToDoubleFunction<DescribeTaskQueueResponse> value) {
    Gauge.builder(name, () -> Optional.ofNullable(found.get(queue)).map(value::applyAsDouble).orElse(Double.NaN))
        .description(description)
        .tags(queue.tags())
        .register(meters);
  }

  private static double seconds(com.google.protobuf.Duration time) {
    return time.getSeconds() + time.getNanos() / NANOS_PER_SECOND;
  }

  /// Asks now. To be called every [#INTERVAL].
  public void refresh() {
    WorkflowClient client = temporal.requestClient();
    try {
      for (Queue queue : QUEUES) {
        found.put(queue, describe(client, queue));
      }
    } catch (StatusRuntimeException e) {
      LOG.debug("task queues are described later", e);
      found.clear();
    }
  }

  /// Returns the queues that no server has polled within the last minutes, such as `upgrade (activity)`.
  ///
  /// @throws StatusRuntimeException if Temporal does not answer
  static List<String> listUnpolled(WorkflowClient client) {
    return QUEUES.stream()
        .filter(queue -> describe(client, queue).getPollersCount() == 0)
        .map(queue -> "%s (%s)".formatted(queue.name(), queue.typeName()))
        .toList();
  }

  private static DescribeTaskQueueResponse describe(WorkflowClient client, Queue queue) {
    return client
        .getWorkflowServiceStubs()
        .blockingStub()
        .describeTaskQueue(
            DescribeTaskQueueRequest.newBuilder()
                .setNamespace(client.getOptions().getNamespace())
                .setTaskQueue(TaskQueue.newBuilder().setName(queue.name()))
                .setTaskQueueType(queue.type())
                .setReportStats(true)
                .build());
  }
}
