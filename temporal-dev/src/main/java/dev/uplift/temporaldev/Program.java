package dev.uplift.temporaldev;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// Any other process of a stack, such as the simulator.
public final class Program extends Part {
  private final List<String> command;
  private final Map<String, String> environment = new TreeMap<>();
  private BooleanSupplier ready = () -> true;

  Program(Seat seat, List<String> command) {
    super(seat);
    this.command = List.copyOf(command);
  }

  /// How to see that it serves. Without this it does as soon as it runs.
  public Program readyWhen(BooleanSupplier serves) {
    ready = serves;
    return this;
  }

  /// Sets a variable of its environment from its next start on.
  public Program with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  @Override
  Launch prepare() {
    return new Launch(command, environment);
  }

  @Override
  boolean isReady() {
    return ready.getAsBoolean();
  }
}
