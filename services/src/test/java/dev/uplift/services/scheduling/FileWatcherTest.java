package dev.uplift.services.scheduling;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.AppenderBase;
import dev.uplift.services.scheduling.FileWatcher.Watch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

final class FileWatcherTest {
  @TempDir private Path folder;

  private final List<String> read = new CopyOnWriteArrayList<>();
  private Path file = Path.of("");
  private boolean isReady = true;

  @BeforeEach
  void write() throws IOException {
    file = Files.writeString(folder.resolve("secret"), "one");
  }

  @Test
  void filesAreReadWhileItIsOpen() throws IOException {
    try (var watcher = new FileWatcher(Duration.ofMillis(20))) {
      watcher.watch("secret", List.of(file), this::read);
      await("read as it is").until(() -> read.equals(List.of("one")));

      exchange("two");
      await("read after the change").until(() -> read.equals(List.of("one", "two")));
    }
  }

  @Test
  void eachContentIsReadOnceHoweverItIsWritten() throws IOException {
    Watch watch = watch(file);
    check(watch, 4);

    exchange("two");
    check(watch, 4);
    Files.writeString(file, "three");
    check(watch, 4);
    Files.writeString(file, "three");
    check(watch, 4);

    assertThat(read).containsExactly("one", "two", "three");
  }

  @Test
  void aLinkToALinkIsFollowed() throws IOException {
    Files.createDirectories(folder.resolve("v1"));
    Files.createDirectories(folder.resolve("v2"));
    Files.move(file, folder.resolve("v1/secret"));
    Files.writeString(folder.resolve("v2/secret"), "two");
    Path data = Files.createSymbolicLink(folder.resolve("data"), Path.of("v1"));
    file = Files.createSymbolicLink(folder.resolve("secret"), Path.of("data/secret"));
    Watch watch = watch(file);
    check(watch, 2);

    Path next = Files.createSymbolicLink(folder.resolve("next"), Path.of("v2"));
    Files.move(next, data, StandardCopyOption.ATOMIC_MOVE);
    check(watch, 2);

    assertThat(read).containsExactly("one", "two");
  }

  @Test
  void aFileThatIsBeingWrittenIsLeftAlone() throws IOException {
    Watch watch = watch(file);
    check(watch, 2);

    Files.writeString(file, "");
    check(watch, 1);
    Files.writeString(file, "tw");
    check(watch, 1);
    Files.writeString(file, "two");
    check(watch, 2);

    assertThat(read).containsExactly("one", "two");
  }

  @Test
  void filesThatBelongTogetherAreReadTogether() throws IOException {
    Path other = Files.writeString(folder.resolve("key"), "key one");
    Watch watch = watch(file, other);
    check(watch, 2);

    Files.writeString(file, "two");
    check(watch, 1);
    Files.writeString(other, "key two");
    check(watch, 2);
    Files.writeString(other, "key three");
    check(watch, 2);

    assertThat(read).containsExactly("one", "two", "two");
  }

  @Test
  void whatCannotBeReadIsReadAgainAfterItsNextChange() throws IOException {
    Watch watch = watch(file);
    check(watch, 2);

    Files.writeString(file, "unusable");
    check(watch, 4);
    Files.delete(file);
    check(watch, 4);
    Files.writeString(file, "two");
    check(watch, 4);

    assertThat(read).containsExactly("one", "unusable", "missing", "two");
  }

  @Test
  void aMissingFileHidesNoChangeOfAnother() throws IOException {
    Path other = folder.resolve("other");
    Watch watch = watch(other, file);
    check(watch, 4);

    Files.writeString(file, "two");
    check(watch, 4);
    Files.writeString(other, "there");
    check(watch, 4);

    assertThat(read).containsExactly("one", "two", "two");
  }

  @Test
  void whatCannotBeUsedYetIsTriedAtEachLookAndLoggedOnce() throws IOException {
    try (var log = new Log()) {
      Watch watch = watch(file);
      check(watch, 2);
      isReady = false;
      Files.writeString(file, "two");
      check(watch, 4);
      assertThat(watch.unusable()).hasValueSatisfying(unusable -> assertThat(unusable.cause()).contains("not ready"));

      isReady = true;
      check(watch, 4);

      assertThat(read).containsExactly("one", "two", "two", "two", "two");
      assertThat(watch.unusable()).isEmpty();
      assertThat(log.lines())
          .containsExactly(
              "WARN secret: cannot be used yet, so the one before stays in use and it is tried again:"
                  + " java.lang.IllegalStateException: not ready",
              "INFO secret: changed, and in use");
    }
  }

  @Test
  void aChangeBeforeTheFirstLookIsLogged() throws IOException {
    try (var log = new Log()) {
      Watch watch = watch(file);
      Files.writeString(file, "two");
      check(watch, 4);

      assertThat(read).containsExactly("two");
      assertThat(log.lines()).containsExactly("INFO secret: changed, and in use");
    }
  }

  @Test
  void filesThatHaveNotChangedAreReadWithoutALine() {
    try (var log = new Log()) {
      check(watch(file), 4);

      assertThat(read).containsExactly("one");
      assertThat(log.lines()).isEmpty();
    }
  }

  /// What is logged until it is closed.
  private static final class Log extends AppenderBase<ILoggingEvent> implements AutoCloseable {
    private final Logger logger = (Logger) LoggerFactory.getLogger(FileWatcher.class);
    private final List<String> lines = new CopyOnWriteArrayList<>();

    Log() {
      start();
      logger.addAppender(this);
      logger.setLevel(Level.INFO);
    }

    @Override
    protected void append(ILoggingEvent event) {
      lines.add(event.getLevel() + " " + event.getFormattedMessage());
    }

    List<String> lines() {
      return lines;
    }

    @Override
    public void close() {
      logger.setLevel(null);
      logger.detachAppender(this);
    }
  }

  private Watch watch(Path... files) {
    return new Watch("secret", List.of(files), this::read);
  }

  private static void check(Watch watch, int times) {
    for (int i = 0; i < times; i++) {
      watch.check();
    }
  }

  private void read() throws IOException {
    if (!Files.exists(file)) {
      read.add("missing");
    }
    String text = Files.readString(file);
    read.add(text);
    if (text.equals("unusable")) {
      throw new IllegalArgumentException("expected another text");
    }
    if (!isReady) {
      throw new IllegalStateException("not ready");
    }
  }

  private void exchange(String text) throws IOException {
    Path next = Files.writeString(folder.resolve("next"), text);
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
  }
}
