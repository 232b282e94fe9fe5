package dev.uplift.agent.core;

import dev.uplift.agent.driver.Found;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;

/// How this agent words what it says about a command.
final class Voice {
  private final HostSetup setup;
  private final ServerClock clock;
  private final Measurements measurements;

  Voice(HostSetup setup, ServerClock clock, Measurements measurements) {
    this.setup = setup;
    this.clock = clock;
    this.measurements = measurements;
  }

  Event accepted(Command command) {
    return event(
        command.id(),
        command.epoch(),
        measurements.last(command.packageName()),
        new Event.Accepted());
  }

  Event progress(Command command, String text) {
    return event(
        command.id(),
        command.epoch(),
        measurements.last(command.packageName()),
        new Event.Progress(command.action().word(), text, -1));
  }

  /// With what is found on the host now.
  Event outcome(Command command, Result result, String log) throws InterruptedException {
    return outcome(command.id(), command, command.epoch(), new Event.Outcome(result, log));
  }

  /// @param id of the command that is answered, which need not be the one that is at hand
  Event outcome(String id, Command about, long epoch, Event.Outcome outcome)
      throws InterruptedException {
    return event(id, epoch, measurements.now(about.packageName()), outcome);
  }

  private Event event(String id, long epoch, Found found, Event.Said said) {
    return new Event(
        id,
        epoch,
        setup.instance(),
        setup.bootId(),
        found.version(),
        found.staged(),
        found.trial(),
        clock.toSay(),
        said);
  }
}
