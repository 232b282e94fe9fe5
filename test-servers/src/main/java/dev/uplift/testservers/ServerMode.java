package dev.uplift.testservers;

import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.temporaldev.stack.StackBuilder;
import java.util.Locale;

/// How tests have their servers.
enum ServerMode {
  CONTAINERS {
    @Override
    StackBuilder stack() {
      return Stack.temporary().runner(ServerContainer::start);
    }

    @Override
    PostgresServer postgres(int port) {
      return new PostgresContainer(port);
    }
  },
  PROCESSES {
    @Override
    StackBuilder stack() {
      return Stack.temporary();
    }

    @Override
    PostgresServer postgres(int port) {
      return new PostgresProcess(port);
    }
  };

  abstract StackBuilder stack();

  abstract PostgresServer postgres(int port);

  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
