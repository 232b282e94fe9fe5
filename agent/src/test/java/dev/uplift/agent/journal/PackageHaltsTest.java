package dev.uplift.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.PackageHalt;
import dev.uplift.protocol.json.MalformedMessage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackageHaltsTest {
  private static final Instant NOW = Instant.parse("2026-03-29T01:30:00Z");
  private static final Duration HOUR = Duration.ofHours(1);
  private static final PackageHalt HALT = new PackageHalt("schema-7", NOW.plus(HOUR));

  private final AtomicLong nanos = new AtomicLong(7);

  @TempDir private Path folder;

  @Test
  void aHaltSurvivesARestartWithTheTimeThatWasLeftWhenItWasLastSaved() throws Exception {
    PackageHalts halts = open();
    halts.set("shopd", HALT, HOUR);
    pass(Duration.ofMinutes(20));
    halts.saveTimeLeft();
    pass(Duration.ofMinutes(5));
    nanos.set(-3);

    PackageHalts next = open();

    assertThat(next.all()).containsOnlyKeys("shopd").containsValue(HALT);
    assertThat(next.timeLeft("shopd", Instant.EPOCH)).isEqualTo(Duration.ofMinutes(40));
    next.end("shopd", HALT);
    assertThat(open().all()).isEmpty();
  }

  @Test
  void theServersTimeAndTheTimeThatHasPassedEndItWhicheverComesFirst() throws Exception {
    PackageHalts halts = open();
    halts.set("shopd", HALT, HOUR);

    assertThat(halts.timeLeft("shopd", NOW.plus(HOUR))).isZero();
    assertThat(halts.timeLeft("shopd", NOW.minus(Duration.ofDays(9000)))).isEqualTo(HOUR);
    pass(HOUR);
    assertThat(halts.timeLeft("shopd", NOW.minus(Duration.ofDays(9000)))).isZero();
    assertThat(halts.timeLeft("os", NOW)).isZero();
  }

  @Test
  void theSameHaltAgainIsNoLonger() throws Exception {
    PackageHalts halts = open();
    halts.set("shopd", HALT, HOUR);
    pass(Duration.ofMinutes(50));

    halts.set("shopd", HALT, HOUR);

    assertThat(halts.timeLeft("shopd", NOW)).isEqualTo(Duration.ofMinutes(10));
  }

  @Test
  void onlyTheHaltThatIsNamedIsEnded() throws Exception {
    PackageHalts halts = open();
    var other = new PackageHalt("schema-8", NOW.plus(HOUR));
    halts.set("shopd", HALT, HOUR);
    halts.set("shopd", other, HOUR);

    halts.end("shopd", HALT);

    assertThat(halts.find("shopd")).contains(other);
  }

  @Test
  void noHaltLastsLongerThanAWeekAndThereAreSixteenAtMost() throws Exception {
    PackageHalts halts = open();
    for (int i = 0; i < 16; i++) {
      halts.set("package-" + i, new PackageHalt("schema-7", NOW.plus(Duration.ofDays(9000))), Duration.ofDays(9000));
    }

    assertThat(halts.timeLeft("package-0", NOW)).isEqualTo(PackageHalt.MAX_DURATION);
    assertThatThrownBy(() -> halts.set("package-16", HALT, HOUR)).isInstanceOf(MalformedMessage.class);
  }

  @Test
  void aFileThatCannotBeReadIsAsIfNothingWasHalted() throws Exception {
    Files.writeString(folder.resolve("halts.json"), "{");

    assertThat(open().all()).isEmpty();
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private PackageHalts open() {
    return PackageHalts.inFolder(FileOps.onDisk(), folder, nanos::get);
  }
}
