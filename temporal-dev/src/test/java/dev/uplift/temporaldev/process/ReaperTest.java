package dev.uplift.temporaldev.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.programs.ProgramLocator;
import dev.uplift.temporaldev.stack.NatsTestClient;
import dev.uplift.temporaldev.stack.Stack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing outlives the JVM that started it, however that dies.
final class ReaperTest {
  private static final Duration SOON = Duration.ofMinutes(2);

  @TempDir Path folder;

  @Test
  void aJvmThatIsKilledTakesEverythingWithItDetachedDescendantsToo() throws Exception {
    Process victim = startProgram(KillableStack.class);
    ProcessTag processTag = new ProcessTag(PrivateFile.read(folder.resolve("stack/id")));
    // nats-server, three that sleep, and perhaps a shell between them.
    await().atMost(SOON).until(() -> processTag.processes().size() >= 4);
    List<Path> said = Files.readAllLines(folder.resolve("said")).stream().map(Path::of).toList();
    Path temporary = said.getFirst();
    Path kept = said.getLast();
    assertThat(temporary).isNotEmptyDirectory();

    victim.destroyForcibly().waitFor();

    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(processTag.processes()).isEmpty();
          assertThat(temporary).doesNotExist();
        });
    assertThat(kept).exists();
    Files.delete(kept);
    assertThat(folder.resolve("stack/nats/store")).exists();
  }

  @Test
  void afterTheDeathOfAllOfUsTheFolderCanBeOpenedAgain() throws Exception {
    Process victim = startProgram(KillableStack.class);
    victim.destroyForcibly().waitFor();

    try (Stack stack = Stack.in(folder.resolve("stack")).open()) {
      stack.nats().start();
      NatsTestClient.connectAsFleet(stack.nats(), "acme").close();
    }
    Files.delete(Path.of(Files.readAllLines(folder.resolve("said")).getLast()));
  }

  @Test
  void whatOneThatDiedTogetherWithItsReaperHasLeftIsEndedByTheNext() throws Exception {
    Path stackFolder = folder.resolve("stack");
    ProcessTag processTag;
    try (Stack stack = Stack.in(stackFolder).open()) {
      processTag = new ProcessTag(PrivateFile.read(stackFolder.resolve("id")));
      assertThat(stack.processes()).isEmpty();
    }
    var left = new ProcessBuilder("sleep", "1000");
    processTag.append("earlier").addTo(left.environment());
    Process leftover = left.start();

    Stack.in(stackFolder).open().close();

    assertThat(leftover.waitFor()).isEqualTo(137);
  }

  @Test
  void postgresIsShutDownAndItsDataRemovedWithTheJvmThatStartedIt() throws Exception {
    Process victim = startProgram(KillablePostgres.class);
    Path data = Path.of(Files.readAllLines(folder.resolve("said")).getFirst());
    long pid = Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst());
    ProcessHandle postgres = ProcessHandle.of(pid).orElseThrow();
    List<ProcessHandle> itsOwn = postgres.descendants().toList();
    assertThat(itsOwn).isNotEmpty();

    victim.destroyForcibly().waitFor();

    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(runs(postgres)).isFalse();
          assertThat(itsOwn).noneMatch(ReaperTest::runs);
          assertThat(data).doesNotExist();
        });
  }

  /// One that has ended, but is not yet collected by its parent, does not.
  private static boolean runs(ProcessHandle process) {
    return Files.exists(Path.of("/proc", Long.toString(process.pid()), "cwd"));
  }

  private Process startProgram(Class<?> program) throws IOException {
    Files.deleteIfExists(folder.resolve("ready"));
    var builder =
        new ProcessBuilder(
                ProgramLocator.javaCommand(
                    List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    System.getProperty("java.class.path"),
                    program.getName(),
                    List.of(folder.toString())))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("victim.log").toFile());
    Process victim = Reaper.ofThisJvm().start(builder, "victim");
    await().atMost(SOON).until(() -> Files.exists(folder.resolve("ready")) || !victim.isAlive());
    assertThat(victim.isAlive()).withFailMessage(() -> LogFile.tail(folder.resolve("victim.log"))).isTrue();
    return victim;
  }
}
