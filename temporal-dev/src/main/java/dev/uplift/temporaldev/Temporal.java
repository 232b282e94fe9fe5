package dev.uplift.temporaldev;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// The Temporal dev server with its Web UI, namespace `default`, with the search attributes of
/// Uplift. Keeps what it has in a file, unless the stack was set up to keep it in memory.
public final class Temporal extends Part {
  private static final List<String> SEARCH_ATTRIBUTES =
      List.of("Tenant", "Device", "Rollout", "Package", "Version", "Phase", "Outcome");

  private static final String KEPT = "retention";

  private final Shared stack;
  private final boolean inMemory;
  private final List<String> dynamic =
      new ArrayList<>(
          // Measured: twice the workflows per second at two thirds of the work.
          List.of(
              "system.enableActivityEagerExecution=true",
              "matching.numTaskqueueReadPartitions=1",
              "matching.numTaskqueueWritePartitions=1"));

  Temporal(Seat seat, Shared stack, boolean inMemory) {
    super(seat);
    this.stack = stack;
    this.inMemory = inMemory;
  }

  /// Where clients connect, host and port.
  public String target() {
    return "127.0.0.1:" + stack.ports().of(name());
  }

  public String namespace() {
    return "default";
  }

  /// From its next start on it proposes to a workflow whose history is as long to go on as a new
  /// run.
  public Temporal proposesNewRunAfter(int events) {
    dynamic.add("limit.historyCount.suggestContinueAsNew=" + events);
    return this;
  }

  /// The base address of the Web UI.
  public String ui() {
    return "http://127.0.0.1:" + stack.ports().of(name() + "-ui");
  }

  @Override
  void provide() {
    var _ = stack.programs().temporal();
  }

  @Override
  Launch prepare() {
    stack.ports().checkFree(name());
    stack.ports().checkFree(name() + "-ui");
    List<String> command = new ArrayList<>();
    command.add(stack.programs().temporal().toString());
    command.addAll(List.of("server", "start-dev", "--ip", "127.0.0.1"));
    command.addAll(List.of("--port", Integer.toString(stack.ports().of(name()))));
    command.addAll(List.of("--ui-port", Integer.toString(stack.ports().of(name() + "-ui"))));
    command.addAll(List.of("--log-level", "warn"));
    if (!inMemory) {
      Path database = folder().resolve("temporal.db");
      command.addAll(List.of("--db-filename", database.toString()));
      command.addAll(List.of("--sqlite-pragma", "journal_mode=wal"));
      command.addAll(List.of("--sqlite-pragma", "synchronous=normal"));
    }
    for (String value : dynamic) {
      command.addAll(List.of("--dynamic-config-value", value));
    }
    for (String attribute : SEARCH_ATTRIBUTES) {
      command.addAll(List.of("--search-attribute", attribute + "=Keyword"));
    }
    return new Launch(command);
  }

  @Override
  boolean isReady() {
    // Through the Web UI's own way to the server, so that both are known to work.
    if (!Http.answersOk(ui() + "/api/v1/namespaces/" + namespace())) {
      return false;
    }
    if (!inMemory && !Files.exists(folder().resolve(KEPT))) {
      keepForAWeek();
    }
    return true;
  }

  /// The dev server forgets what has closed after a day, and has no flag for another time.
  private void keepForAWeek() {
    List<String> update = new ArrayList<>();
    update.add(stack.programs().temporal().toString());
    update.addAll(List.of("operator", "namespace", "update", "--namespace", namespace()));
    update.addAll(List.of("--retention", "7d", "--address", target()));
    if (Commands.ask(update).isEmpty()) {
      throw new StackFailure("Temporal does not take 7 days of retention; its log is " + log());
    }
    PrivateFile.write(folder().resolve(KEPT), "7d\n");
  }
}
