package dev.uplift.cli;

import dev.uplift.cli.option.EventOptions;
import dev.uplift.cli.option.ServerOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/// The events of a tenant.
@Command(
    name = "events",
    description =
        "Print what happens in the tenant as lines of JSON, until it is interrupted: upgrades and rollouts that begin,"
            + " wait and end, devices that are held, releases that are published.")
final class EventsCommand implements Callable<Integer> {
  @Mixin private ServerOptions server = new ServerOptions();

  @Mixin private EventOptions events = new EventOptions();

  @Override
  public Integer call() {
    return events.printEvents(server, "");
  }
}
