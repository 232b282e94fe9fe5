package dev.uplift.store.command;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.Step;
import dev.uplift.store.DatabaseScenario;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/// Commands to the hosts of one upgrade, and their keys.
abstract class CommandRepositoryScenario extends DatabaseScenario {
  static final HostId LEFT = new HostId("left");
  static final HostId RIGHT = new HostId("right");
  static final Release RELEASE = new Release("os", "2");
  static final WaitingActivity WAITER = new WaitingActivity("upgrade/acme/site", "7");
  static final CommandEncoder ENCODER =
      basis -> new SignedCommand(basis.id(), "do %s %d %s".formatted(basis.id(), basis.epoch(), basis.now()), "signed");
  static final CommandRepository.CancelEncoder CANCEL_ENCODER =
      (basis, cancels) -> new SignedCommand(basis.id(), "cancel " + cancels + " " + basis.epoch(), "signed");
  static final CommandEncoder NEVER_CALLED =
      _ -> {
        throw new AssertionError("created twice");
      };

  CommandRepository commands = database.repository(CommandRepository.class);

  @BeforeEach
  void open() {
    commands = database.repository(CommandRepository.class);
  }

  CommandKey key(Step step, int generation) {
    return new CommandKey(tenant, "u1", LEFT, step, generation);
  }

  List<TimelineEntry> timeline() {
    return commands.timeline(tenant, "u1");
  }
}
