package dev.uplift.agent.link;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.files.FileOps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GoodTimeTest {
  private static final Instant NOON = Instant.parse("2031-01-01T12:00:00Z");

  @TempDir Path folder;

  @Test
  void whatAServerHasToldIsCertainAfterARestartToo() {
    in().learn(NOON);

    assertThat(in().floor()).isEqualTo(NOON);
  }

  @Test
  void itNeverFalls() {
    GoodTime time = in();
    time.learn(NOON);
    time.learn(Instant.EPOCH);

    assertThat(time.floor()).isEqualTo(NOON);
    assertThat(in().floor()).isEqualTo(NOON);
  }

  @Test
  void theDiskIsWrittenOnceAnHourAtMost() throws Exception {
    GoodTime time = in();
    time.learn(NOON);
    time.learn(NOON.plusSeconds(3599));
    assertThat(Files.readString(folder.resolve("time"))).isEqualTo(NOON + "\n");

    time.learn(NOON.plusSeconds(3600));

    assertThat(Files.readString(folder.resolve("time"))).isEqualTo(NOON.plusSeconds(3600) + "\n");
    assertThat(time.floor()).isEqualTo(NOON.plusSeconds(3600));
  }

  @Test
  void aDamagedFileCountsForNothing() throws Exception {
    Files.writeString(folder.resolve("time"), "at noon");
    GoodTime time = in();
    assertThat(time.floor()).isBefore(NOON);

    time.learn(NOON);

    assertThat(in().floor()).isEqualTo(NOON);
  }

  private GoodTime in() {
    return GoodTime.in(FileOps.onDisk(), folder);
  }
}
