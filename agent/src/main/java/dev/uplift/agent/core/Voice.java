package dev.uplift.agent.core;

import dev.uplift.agent.driver.Found;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;

/// How this agent words what it says about a command. What may be lost, it says itself.
final class Voice {
  private final HostSetup setup;
  private final ServerClock clock;
  private final Measurements measurements;

  private final Outbox outbox;

  Voice(HostSetup setup, ServerClock clock, Measurements measurements, Outbox outbox) {
    this.setup = setup;
    this.clock = clock;
    this.measurements = measurements;
    this.outbox = outbox;
  }

  void sayAccepted(Command command) {
    say(command, new Event.Accepted());
  }

  void sayProgress(Command command, String text) {
    say(command, new Event.Progress(command.action().word(), text, -1));
  }

  private void say(Command command, Event.Said said) {
    Found last = measurements.last(command.packageName());
    outbox.say(event(command.id(), command.epoch(), last, said));
  }

  boolean knows(String packageName) {
    return setup.packages().containsKey(packageName);
  }

  /// With what is found on the host now.
  ///
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
