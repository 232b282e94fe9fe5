package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.journal.CommandRecord;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
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

/// The threads of an agent die at one of its operations on the disk, and whatever they would have done after it is not
/// done: to the disk, that is how a kill looks.
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
      wasKilled = survives(CommandAction.UPGRADE, operation);
    }

    assertThat(operation).isGreaterThan(20);
  }

  /// Returns whether it was killed at this operation: false if there are fewer.
  private boolean survives(CommandAction commandAction, int operation) throws Exception {
    Path state = Files.createDirectories(folder.resolve("at-" + operation));
    var left = new AtomicInteger(Integer.MAX_VALUE);
    try (HostAgentFixture fixture = new HostAgentFixture(state)) {
      fixture.usesJournal(CommandJournal.inFolder(mortal(left), state));
      left.set(operation);
      Command command = fixture.next(commandAction);
      fixture.server.store(command);
      fixture.start();
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(60))
          .until(() -> left.get() <= 0 || isSent(fixture.journal(), command));
      boolean wasKilled = left.get() <= 0;
      fixture.stop();

      fixture.usesJournal(CommandJournal.inFolder(FileOps.onDisk(), state));
      fixture.start();

      Event event = fixture.server.outcome(command);
      await()
          .dontCatchUncaughtExceptions()
          .atMost(Duration.ofSeconds(60))
          .until(() -> isSent(fixture.journal(), command));
      assertThat(((Event.Outcome) event.content()).result()).isEqualTo(new CommandResult.Done());
      assertThat(fixture.driver.version).isEqualTo("1.5.0");
      assertThat(fixture.server.outcomes(command.id()).stream().distinct()).hasSize(1);
      assertThat(fixture.journal().sequence("shopd")).isEqualTo(42);
      return wasKilled;
    }
  }

  private static boolean isSent(CommandJournal journal, Command command) {
    return journal.find(command.id()).filter(CommandRecord::sent).isPresent();
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
