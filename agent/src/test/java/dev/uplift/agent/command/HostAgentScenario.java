package dev.uplift.agent.command;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// An agent on a [HostAgentFixture] of its own for each test.
abstract class HostAgentScenario {
  @TempDir Path folder;
  HostAgentFixture fixture;

  @BeforeEach
  void open() throws Exception {
    fixture = new HostAgentFixture(folder);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  /// Returns the agent's answer, once there is one.
  CommandResult result(Command command) {
    return result(command.id());
  }

  CommandResult result(String commandId) {
    return ((Event.Outcome) fixture.server.outcome(commandId).content()).result();
  }

  /// With what error the agent answered, once it has.
  String code(Command command) {
    return ((CommandResult.Failed) result(command)).code();
  }
}
