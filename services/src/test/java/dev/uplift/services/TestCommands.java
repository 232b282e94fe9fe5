package dev.uplift.services;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Order;
import java.time.Duration;
import java.time.Instant;

/// Commands of which only the order of arrival matters.
public final class TestCommands {
  private TestCommands() {}

  public static Command inspect(String id, String host, long epoch) {
    return new Command(
        id,
        TestStacks.TENANT,
        host,
        epoch,
        Instant.EPOCH,
        Instant.EPOCH,
        "os",
        "1.5.0",
        "",
        Command.Expect.NONE,
        Duration.ZERO,
        new Order.Inspect());
  }
}
