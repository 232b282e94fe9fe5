package dev.uplift.temporaldev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Nothing outlives the JVM that started it, however that dies.
final class ReaperTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path folder;

  @Test
  void aJvmThatIsKilledTakesEverythingWithItDetachedDescendantsToo() throws Exception {
    Process victim = victim();
    Tag tag = new Tag(PrivateFile.read(folder.resolve("stack/id")));
    // nats-server, three that sleep, and perhaps a shell between them.
    assertThat(tag.processes()).hasSizeGreaterThanOrEqualTo(4);
    List<Path> said = Files.readAllLines(folder.resolve("said")).stream().map(Path::of).toList();
    Path temporary = said.getFirst();
    Path kept = said.getLast();
    assertThat(temporary).isNotEmptyDirectory();

    victim.destroyForcibly().waitFor();

    await()
        .atMost(SOON)
        .untilAsserted(() -> {
          assertThat(tag.processes()).isEmpty();
          assertThat(temporary).doesNotExist();
        });
    assertThat(kept).exists();
    Files.delete(kept);
    assertThat(folder.resolve("stack/nats/store")).exists();
  }

  @Test
  void afterTheDeathOfAllOfUsTheFolderCanBeOpenedAgain() throws Exception {
    Process victim = victim();
    victim.destroyForcibly().waitFor();

    try (Stack stack = Stack.in(folder.resolve("stack")).open()) {
      stack.nats().start();
      Client.device(stack.nats(), "acme").close();
    }
  }

  @Test
  void whatOneThatDiedTogetherWithItsReaperHasLeftIsEndedByTheNext() throws Exception {
    Path stackFolder = folder.resolve("stack");
    Tag tag;
    try (Stack stack = Stack.in(stackFolder).open()) {
      tag = new Tag(PrivateFile.read(stackFolder.resolve("id")));
      assertThat(stack.processes()).isEmpty();
    }
    var left = new ProcessBuilder("sleep", "1000");
    tag.with("earlier").mark(left.environment());
    Process leftover = left.start();

    Stack.in(stackFolder).open().close();

    assertThat(leftover.waitFor()).isEqualTo(137);
  }

  private Process victim() throws IOException {
    Files.deleteIfExists(folder.resolve("ready"));
    var builder =
        new ProcessBuilder(
                Programs.java(
                    List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"),
                    System.getProperty("java.class.path"),
                    Victim.class.getName(),
                    List.of(folder.toString())))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("victim.log").toFile());
    Process victim = Reaper.ofThisJvm().start(builder, "victim");
    await().atMost(SOON).until(() -> Files.exists(folder.resolve("ready")) || !victim.isAlive());
    assertThat(victim.isAlive())
        .withFailMessage(() -> Log.tail(folder.resolve("victim.log")))
        .isTrue();
    return victim;
  }
}
