package dev.uplift.agent.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class OwnerHoldsTest {
  private static final Instant NOW = Instant.parse("2026-03-29T01:30:00Z");

  @TempDir private Path folder;
  private OwnerHolds holds;

  @BeforeEach
  void open() {
    holds = OwnerHolds.inFolder(FileOps.onDisk(), folder);
  }

  @Test
  void aHoldIsReadByOthersUntilItIsEnded() throws Exception {
    PackageHold hold = hold("tests", Optional.of(NOW.plusSeconds(60)));
    holds.set("shopd", hold("older", Optional.empty()));
    holds.set("shopd", hold);

    assertThat(OwnerHolds.inFolder(FileOps.onDisk(), folder).read()).containsOnlyKeys("shopd").containsValue(hold);
    assertThat(holds.end("shopd")).isTrue();
    assertThat(holds.end("shopd")).isFalse();
    assertThat(holds.read()).isEmpty();
  }

  @Test
  void aHoldIsInForceUntilItsEndAndWhileTheTimeIsUnknown() throws Exception {
    holds.set("shopd", hold("tests", Optional.of(NOW)));

    assertThat(holds.find("shopd", Optional.of(NOW.minusMillis(1)))).isPresent();
    assertThat(holds.find("shopd", Optional.empty())).isPresent();
    assertThat(holds.find("shopd", Optional.of(NOW))).isEmpty();
    assertThat(holds.find("os", Optional.of(NOW))).isEmpty();
  }

  @Test
  void noMoreAreTakenThanAnInfoHasRoomFor() throws Exception {
    for (int i = 0; i < 16; i++) {
      holds.set("package-" + i, hold("tests", Optional.empty()));
    }

    assertThatThrownBy(() -> holds.set("package-16", hold("tests", Optional.empty())))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("at most 16 packages");
    for (int i = 0; i < 12; i++) {
      holds.end("package-" + i);
    }
    String longest = "\u20ac".repeat(PackageHold.MAX_REASON_CHARS);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 12; i++) {
                holds.set("package-" + i, hold(longest, Optional.empty()));
              }
            })
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("holds");
    assertThat(holds.read()).hasSizeBetween(4, 15);
  }

  @Test
  void aDamagedFileIsNoWordThatNothingIsHeld() throws Exception {
    Files.writeString(folder.resolve("holds.json"), "{\"shopd\":");

    assertThatThrownBy(() -> holds.read()).isInstanceOf(IOException.class).hasMessageContaining("holds.json");
    assertThatThrownBy(() -> holds.find("shopd", Optional.of(NOW))).isInstanceOf(IOException.class);
  }

  private static PackageHold hold(String reason, Optional<Instant> until) {
    return new PackageHold(reason, "root", NOW.minusSeconds(60), until);
  }
}
