package dev.uplift.agent.report;

import dev.uplift.agent.driver.PackageState;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;

/// How this agent words what it says about a command. What may be lost, it says itself.
public final class EventFactory {
  private final HostContext hostContext;
  private final ServerClock clock;
  private final PackageMeasurements measurements;

  private final EventOutbox outbox;

  public EventFactory(
      HostContext hostContext,
      ServerClock clock,
      PackageMeasurements measurements,
      EventOutbox outbox) {
    this.hostContext = hostContext;
    this.clock = clock;
    this.measurements = measurements;
    this.outbox = outbox;
  }

  public void publishAccepted(Command command) {
    publish(command, new Event.Accepted());
  }

  public void publishProgress(Command command, String text) {
    publish(command, new Event.Progress(command.action().wireName(), text, -1));
  }

  private void publish(Command command, Event.Content content) {
    PackageState last = measurements.latest(command.packageName());
    outbox.enqueue(event(command.id(), command.epoch(), last, content));
  }

  boolean hasPackage(String packageName) {
    return hostContext.packages().containsKey(packageName);
  }

  /// With what is found on the host now.
  ///
  /// @param id of the command that is answered, which need not be the one that is at hand
  Event outcome(String id, Command about, long epoch, Event.Outcome outcome)
      throws InterruptedException {
    return event(id, epoch, measurements.measure(about.packageName()), outcome);
  }

  private Event event(String id, long epoch, PackageState packageState, Event.Content content) {
    return new Event(
        id,
        epoch,
        hostContext.instance(),
        hostContext.bootId(),
        packageState.version(),
        packageState.staged(),
        packageState.onTrial(),
        clock.forDisplay(),
        content);
  }
}
