package dev.uplift.temporaldev.bench;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackProgram;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/// Runs workflows on the Temporal of a stack that do nothing but wait, as often as an upgrade of one host does: for the
/// answers to `prepare` and `upgrade`.
record TemporalFloor(Stack stack, int workflows) {
  private static final int WAITS = 2;
  private static final Duration TIMEOUT = Duration.ofMinutes(30);
  private static final int SAMPLED_HISTORIES = 20;

  /// Blocks until all have ended.
  String run(String name) {
    StackProgram worker =
        stack.bareWorkflows(
            "floor-" + name,
            List.of(
                stack.temporal().target(),
                stack.temporal().namespace(),
                idPrefix(name),
                Integer.toString(workflows),
                Integer.toString(WAITS)));
    worker.start();
    worker.awaitEnd(TIMEOUT);
    return workflows + " workflows";
  }

  private static String idPrefix(String name) {
    return "floor/" + name + "/";
  }

  /// Returns ids of workflows of a run.
  List<String> sample(String name) {
    return IntStream.range(0, Math.min(workflows, SAMPLED_HISTORIES))
        .mapToObj(number -> idPrefix(name) + number)
        .toList();
  }
}
