package dev.uplift.temporaldev.stack;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// Any other process of a stack, such as the simulator.
public final class StackProgram extends StackProcess {
  private final List<String> command;
  private final Map<String, String> environment = new TreeMap<>();
  private BooleanSupplier readinessCheck = () -> true;

  StackProgram(ProcessContext context, List<String> command) {
    super(context);
    this.command = List.copyOf(command);
  }

  /// Sets a readiness check; by default it is ready as soon as it runs.
  public StackProgram readyWhen(BooleanSupplier isReady) {
    readinessCheck = isReady;
    return this;
  }

  /// Sets a variable of its environment from its next start on.
  public StackProgram environment(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  @Override
  LaunchCommand prepareLaunch() {
    return new LaunchCommand(command, environment);
  }

  @Override
  boolean isReady() {
    return readinessCheck.getAsBoolean();
  }
}
