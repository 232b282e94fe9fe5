package dev.uplift.agent.trust;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.files.FileOps;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
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

  @Test
  void aTimeOfTheFarFutureIsTakenForNoMoreThanAStep() throws Exception {
    in().raise(NOON);

    in().raise(Instant.parse("9999-01-01T00:00:00Z"));

    assertThat(in().floor()).isBetween(NOON.plus(Duration.ofDays(90)), NOON.plus(Duration.ofDays(91)));
  }

  @Test
  void aServerThatIsDecadesAheadTakesOneStepADayHoweverOftenItIsAsked() {
    var nanos = new AtomicLong();
    TrustedTimeFloor time = TrustedTimeFloor.inMemory(nanos::get);
    time.raise(NOON);
    for (int i = 0; i < 1000; i++) {
      time.raise(NOON.plus(Duration.ofDays(20 * 365)));
    }

    assertThat(time.floor()).isEqualTo(NOON.plus(Duration.ofDays(90)));
  }

  @Test
  void aHostThatWasOffForThreeYearsGetsThereInSteps() {
    var nanos = new AtomicLong();
    TrustedTimeFloor time = TrustedTimeFloor.inMemory(nanos::get);
    time.raise(NOON);
    Instant now = NOON.plus(Duration.ofDays(3 * 365));
    int days = 0;
    for (; time.floor().isBefore(now); days++) {
      nanos.addAndGet(Duration.ofDays(1).toNanos());
      time.raise(now);
    }

    assertThat(days).isEqualTo(13);
    assertThat(time.floor()).isEqualTo(now);
  }

  @Test
  void itNeverRisesPastTheExpiryOfAllThatTheHostTrusts() {
    TrustedTimeFloor time = TrustedTimeFloor.inMemory();
    time.raise(NOON);
    time.setCeiling(() -> NOON.plusSeconds(60));

    time.raise(NOON.plusSeconds(3600));
    assertThat(time.floor()).isEqualTo(NOON.plusSeconds(60));

    time.setCeiling(() -> NOON.plusSeconds(30));
    assertThat(time.floor()).as("what was learnt before is healed").isEqualTo(NOON.plusSeconds(30));
  }

  private TrustedTimeFloor in() {
    return TrustedTimeFloor.inFolder(FileOps.onDisk(), folder);
  }
}
