package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.ProgramStarter;
import java.util.ArrayList;
import java.util.List;

/// Temporal with namespace `default`, the search attributes of Uplift, a Web UI, and a week of retention.
public abstract sealed class TemporalServer extends StackProcess permits TemporalDevServer, TemporalProductionServer {
  static final List<String> SEARCH_ATTRIBUTES =
      List.of("Tenant", "Device", "Rollout", "Package", "Version", "Phase", "Outcome");

  /// How long closed workflows are kept, as Temporal's command line has it.
  public static final String RETENTION = "7d";

  private final StackContext stack;
  private final List<String> dynamicConfig =
      new ArrayList<>(
          // Measured: twice the workflows per second with two thirds of the CPU time.
          List.of(
              "system.enableActivityEagerExecution=true",
              "matching.numTaskqueueReadPartitions=1",
              "matching.numTaskqueueWritePartitions=1",
              // By default each new task goes through all that were done in the last half minute.
              "history.timerProcessorUpdateAckInterval=\"1s\"",
              "history.transferProcessorUpdateAckInterval=\"1s\"",
              "history.visibilityProcessorUpdateAckInterval=\"1s\""));

  TemporalServer(ProcessContext context, StackContext stack) {
    super(context);
    this.stack = stack;
  }

  final StackContext stack() {
    return stack;
  }

  /// Returns host and port for clients.
  public final String target() {
    return "127.0.0.1:" + port();
  }

  final int port() {
    return stack.ports().portOf(name());
  }

  public final String namespace() {
    return "default";
  }

  /// From its next start on, suggests continue-as-new to workflows with histories of this length.
  public final TemporalServer suggestContinueAsNewAfter(int events) {
    return with("limit.historyCount.suggestContinueAsNew=" + events);
  }

  /// @param setting of its dynamic configuration, `name=value`
  final TemporalServer with(String setting) {
    dynamicConfig.add(setting);
    return this;
  }

  final List<String> dynamicConfig() {
    return dynamicConfig;
  }

  /// Returns the URL of its Prometheus metrics.
  public final String metricsUrl() {
    return "http://127.0.0.1:%d/metrics".formatted(stack.ports().portOf(name() + "-metrics"));
  }

  /// Returns the base URL of the Web UI.
  public final String uiUrl() {
    return "http://127.0.0.1:" + stack.ports().portOf(name() + "-ui");
  }

  @Override
  final ProgramStarter runner() {
    return stack.runner();
  }
}
