package dev.uplift.agent.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.files.FileOps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class TrustedTimeFloorTest {
  private static final Instant NOON = Instant.parse("2031-01-01T12:00:00Z");

  @TempDir Path folder;

  @Test
  void whatAServerHasToldIsCertainAfterARestartToo() {
    in().raise(NOON);

    assertThat(in().floor()).isEqualTo(NOON);
  }

  @Test
  void itNeverFalls() {
    TrustedTimeFloor time = in();
    time.raise(NOON);
    time.raise(Instant.EPOCH);

    assertThat(time.floor()).isEqualTo(NOON);
    assertThat(in().floor()).isEqualTo(NOON);
  }

  @Test
  void theDiskIsWrittenOnceAnHourAtMost() throws Exception {
    TrustedTimeFloor time = in();
    time.raise(NOON);
    time.raise(NOON.plusSeconds(3599));
    assertThat(Files.readString(folder.resolve("time"))).isEqualTo(NOON + "\n");

    time.raise(NOON.plusSeconds(3600));

    assertThat(Files.readString(folder.resolve("time"))).isEqualTo(NOON.plusSeconds(3600) + "\n");
    assertThat(time.floor()).isEqualTo(NOON.plusSeconds(3600));
  }

  @Test
  void aDamagedFileCountsForNothing() throws Exception {
    Files.writeString(folder.resolve("time"), "at noon");
    TrustedTimeFloor time = in();
    assertThat(time.floor()).isBefore(NOON);

    time.raise(NOON);

    assertThat(in().floor()).isEqualTo(NOON);
  }

  private TrustedTimeFloor in() {
    return TrustedTimeFloor.inFolder(FileOps.onDisk(), folder);
  }
}
