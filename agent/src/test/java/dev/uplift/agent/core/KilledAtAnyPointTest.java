package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.ops.Op;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The threads of an agent die at one of its operations on the disk, and whatever they would have
/// done after it is not done: to the disk, that is how a kill looks.
final class KilledAtAnyPointTest {
  @TempDir Path folder;

  /// Of one operation and all after it.
  private static final class Killed extends Error {
    private static final long serialVersionUID = 1;

    Killed() {
      super("killed, as the test wants it", null, false, false);
    }
  }

  @Test
  void upgradeIsFoundAgainAndHasOneAnswerWhereverTheAgentIsKilled() throws Exception {
    int operation = 0;
    boolean wasKilled = true;
    while (wasKilled) {
      operation++;
      wasKilled = survives(Action.UPGRADE, operation);
    }

    assertThat(operation).isGreaterThan(20);
  }

  /// Whether it was killed at this operation: not when there are not so many.
  private boolean survives(Action action, int operation) throws Exception {
    Path state = Files.createDirectories(folder.resolve("at-" + operation));
    var left = new AtomicInteger(Integer.MAX_VALUE);
    try (Rig rig = new Rig(state)) {
      rig.remembersIn(Ops.inFolder(mortal(left), state));
      left.set(operation);
      Command command = rig.next(action);
      rig.server.put(command);
      rig.start();
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(60))
          .until(() -> left.get() <= 0 || isSent(rig.ops(), command));
      boolean wasKilled = left.get() <= 0;
      rig.stop();

      rig.remembersIn(Ops.inFolder(FileOps.onDisk(), state));
      rig.start();

      Event event = rig.server.outcome(command);
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(60))
          .until(() -> isSent(rig.ops(), command));
      assertThat(((Event.Outcome) event.said()).result()).isEqualTo(new Result.Done());
      assertThat(rig.driver.version).isEqualTo("1.5.0");
      assertThat(rig.server.outcomes(command.id()).stream().distinct()).hasSize(1);
      assertThat(rig.ops().sequence("shopd")).isEqualTo(42);
      return wasKilled;
    }
  }

  private static boolean isSent(Ops ops, Command command) {
    return ops.find(command.id()).filter(Op::sent).isPresent();
  }

  /// Works for so many operations.
  private static FileOps mortal(AtomicInteger left) {
    FileOps disk = FileOps.onDisk();
    return (FileOps)
        Proxy.newProxyInstance(
            FileOps.class.getClassLoader(),
            new Class<?>[] {FileOps.class},
            (_, method, arguments) -> {
              if (method.isDefault()) {
                return InvocationHandler.invokeDefault(mortal(left), method, arguments);
              }
              if (left.decrementAndGet() <= 0) {
                throw new Killed();
              }
              try {
                return method.invoke(disk, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause() instanceof IOException io ? io : e;
              }
            });
  }
}
