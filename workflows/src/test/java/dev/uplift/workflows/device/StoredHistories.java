package dev.uplift.workflows.device;

import dev.uplift.fleet.Outcome;
import dev.uplift.workflows.Payloads;
import io.temporal.api.enums.v1.EventType;
import io.temporal.api.history.v1.History;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.testing.TestEnvironmentOptions;
import io.temporal.testing.TestWorkflowEnvironment;
import io.temporal.testing.WorkflowReplayer;
import io.temporal.worker.Worker;
import io.temporal.worker.WorkerOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// The histories that earlier versions left, one per outcome of an upgrade and of its revert, and
/// how they are replayed. `-DkeepHistories=true` writes them anew: only when no server of the old
/// version runs any more.
final class StoredHistories {
  private static final Path FOLDER = Path.of("src/test/resources/histories");

  /// A loaded machine is no deadlock.
  static final WorkerOptions PATIENT =
      WorkerOptions.newBuilder().setDefaultDeadlockDetectionTimeout(20_000).build();

  private StoredHistories() {}

  static Path of(Outcome outcome) {
    return FOLDER.resolve(outcome + ".json");
  }

  static Path ofRevert(Outcome outcome) {
    return FOLDER.resolve("revert-" + outcome + ".json");
  }

  static List<Path> all() throws IOException {
    try (Stream<Path> files = Files.list(FOLDER)) {
      return files.sorted().toList();
    }
  }

  static void keep(Path file, WorkflowExecutionHistory history) {
    if (Boolean.getBoolean("keepHistories")) {
      try {
        Files.createDirectories(FOLDER);
        Files.writeString(file, history.toJson(true));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  static WorkflowExecutionHistory read(Path file) throws IOException {
    return WorkflowExecutionHistory.fromJson(Files.readString(file));
  }

  /// As a worker finds it that takes over at any of its tasks.
  static List<WorkflowExecutionHistory> cutOffAtEachTask(WorkflowExecutionHistory history) {
    List<HistoryEvent> events = history.getEvents();
    return IntStream.range(0, events.size())
        .filter(i -> events.get(i).getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED)
        .mapToObj(i -> events.subList(0, i + 1))
        .map(until -> History.newBuilder().addAllEvents(until).build())
        .map(WorkflowExecutionHistory::new)
        .toList();
  }

  static void replay(WorkflowExecutionHistory... histories) throws Exception {
    TestEnvironmentOptions options =
        TestEnvironmentOptions.newBuilder()
            .setWorkflowClientOptions(Payloads.clientOptions())
            .build();
    try (var environment = TestWorkflowEnvironment.newInstance(options)) {
      Worker worker = environment.newWorker("replay", PATIENT);
      worker.registerWorkflowImplementationTypes(DeviceUpgradeImpl.class);
      for (WorkflowExecutionHistory history : histories) {
        WorkflowReplayer.replayWorkflowExecution(history, worker);
      }
    }
  }
}
