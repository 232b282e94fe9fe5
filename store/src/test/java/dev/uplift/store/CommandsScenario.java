package dev.uplift.store;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Step;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/// Commands to the hosts of one upgrade, and what they are minted from.
abstract class CommandsScenario extends OnBothDatabases {
  static final HostId LEFT = new HostId("left");
  static final HostId RIGHT = new HostId("right");
  static final Waiter WAITER = new Waiter("upgrade/acme/site", "7");
  static final Mint MINT =
      (id, epoch, now) -> new Written(id, "do " + id + " " + epoch + " " + now, "signed");
  static final Commands.CancelMint CANCEL =
      (id, epoch, _, cancels) -> new Written(id, "cancel " + cancels + " " + epoch, "signed");
  static final Mint NEVER =
      (_, _, _) -> {
        throw new AssertionError("minted twice");
      };

  Commands commands = new Commands(database, clock);

  @BeforeEach
  void open() {
    commands = new Commands(database, clock);
  }

  CommandKey key(Step step, int generation) {
    return new CommandKey(tenant, "u1", LEFT, step, generation);
  }

  List<TimelineEntry> timeline() {
    return commands.timeline(tenant, "u1");
  }
}
