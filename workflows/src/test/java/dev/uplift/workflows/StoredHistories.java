package dev.uplift.workflows;

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

/// The stored histories of a workflow, one per outcome, in a folder for each released version, and their replay.
/// `-DkeepHistories=true` rewrites those of the current version, until the changelog says that it is released.
public final class StoredHistories {
  /// Options without false deadlock alarms on a loaded machine.
  public static final WorkerOptions PATIENT =
      WorkerOptions.newBuilder().setDefaultDeadlockDetectionTimeout(20_000).build();

  private final Path versions;
  private final Path current;
  private final Class<?> workflow;

  /// @param folder of the histories of this workflow, in the resources
  public StoredHistories(String folder, Class<?> workflow) {
    this.versions = Path.of("src/test/resources", folder);
    this.current = versions.resolve(System.getProperty("project.version", "0.1.0"));
    this.workflow = workflow;
  }

  /// Returns the history of the current version.
  public Path of(Object outcome) {
    return current.resolve(outcome + ".json");
  }

  /// Returns the histories of all versions.
  public List<Path> all() throws IOException {
    try (Stream<Path> files = Files.walk(versions)) {
      return files.filter(file -> file.toString().endsWith(".json")).sorted().toList();
    }
  }

  /// Rewrites a history if that is asked for.
  ///
  /// @throws IllegalStateException if the version is released: its workflows run in installations
  public void keep(Object outcome, WorkflowExecutionHistory history) {
    if (Boolean.getBoolean("keepHistories")) {
      try {
        requireUnreleased(current.getFileName().toString(), Files.readString(Path.of("../CHANGELOG.md")));
        Files.createDirectories(current);
        Files.writeString(of(outcome), history.toJson(true));
      } catch (IOException failure) {
        throw new UncheckedIOException(failure);
      }
    }
  }

  static void requireUnreleased(String version, String changelog) {
    if (!changelog.contains("\n## Unreleased (%s)\n".formatted(version))) {
      throw new IllegalStateException(
          "histories of %s are not rewritten, because it is released; raise the version of the project"
              .formatted(version));
    }
  }

  public static WorkflowExecutionHistory read(Path file) throws IOException {
    return WorkflowExecutionHistory.fromJson(Files.readString(file));
  }

  /// Returns the history as found by a worker that takes over at each of its tasks.
  public static List<WorkflowExecutionHistory> cutOffAtEachTask(WorkflowExecutionHistory history) {
    List<HistoryEvent> events = history.getEvents();
    return IntStream.range(0, events.size())
        .filter(i -> events.get(i).getEventType() == EventType.EVENT_TYPE_WORKFLOW_TASK_STARTED)
        .mapToObj(i -> events.subList(0, i + 1))
        .map(until -> History.newBuilder().addAllEvents(until).build())
        .map(WorkflowExecutionHistory::new)
        .toList();
  }

  public void replay(WorkflowExecutionHistory... histories) throws Exception {
    TestEnvironmentOptions options =
        TestEnvironmentOptions.newBuilder().setWorkflowClientOptions(Payloads.clientOptions()).build();
    try (var environment = TestWorkflowEnvironment.newInstance(options)) {
      Worker worker = environment.newWorker("replay", PATIENT);
      worker.registerWorkflowImplementationTypes(workflow);
      for (WorkflowExecutionHistory history : histories) {
        WorkflowReplayer.replayWorkflowExecution(history, worker);
      }
    }
  }
}
