package dev.uplift.agent.core;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/// An agent on a [Rig] of its own for each test.
abstract class RigScenario {
  @TempDir Path folder;
  Rig rig;

  @BeforeEach
  void open() throws Exception {
    rig = new Rig(folder);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  /// What the agent answered, once it has.
  Result result(Command command) {
    return result(command.id());
  }

  Result result(String commandId) {
    return ((Event.Outcome) rig.server.outcome(commandId).said()).result();
  }

  /// With what error the agent answered, once it has.
  String code(Command command) {
    return ((Result.Failed) result(command)).code();
  }
}
