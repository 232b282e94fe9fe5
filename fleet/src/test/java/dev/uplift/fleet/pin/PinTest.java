package dev.uplift.fleet.pin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class PinTest {
  private static final Instant SINCE = Instant.parse("2026-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("2026-02-01T00:00:00Z");
  private static final Pin VERSION =
      new Pin("till", Optional.of("1.4"), "certified", "ann", Optional.empty(), SINCE, Optional.of(END));
  private static final Pin HOLD =
      new Pin("till", Optional.empty(), "audit", "bob", Optional.empty(), SINCE, Optional.empty());
  private static final Pin OWNER =
      new Pin(
          "till", Optional.empty(), "stocktaking", "root", Optional.of(new HostId("left")), SINCE, Optional.of(END));

  @Test
  void aVersionBlocksEveryOtherOne() {
    assertThat(VERSION.blocks("1.4")).isFalse();
    assertThat(VERSION.blocks("1.5")).isTrue();
    assertThat(VERSION.isHold()).isFalse();
  }

  @Test
  void aHoldBlocksEveryVersion() {
    assertThat(HOLD.blocks("1.4")).isTrue();
    assertThat(HOLD.isHold()).isTrue();
  }

  @Test
  void itCountsForItsPackageUntilItsEnd() {
    assertThat(blocking(List.of(VERSION), "till", "1.5", END.minusMillis(1))).contains(VERSION);
    assertThat(blocking(List.of(VERSION), "till", "1.5", END)).isEmpty();
    assertThat(blocking(List.of(VERSION), "till", "1.4", SINCE)).isEmpty();
    assertThat(blocking(List.of(VERSION), "os", "1.5", SINCE)).isEmpty();
    assertThat(blocking(List.of(HOLD), "till", "1.5", END.plusSeconds(1))).contains(HOLD);
  }

  @Test
  void theWordOfAnOwnerIsToldFirst() {
    assertThat(blocking(List.of(HOLD, OWNER), "till", "1.5", SINCE)).contains(OWNER);
    assertThat(OWNER.origin()).isEqualTo(PinOrigin.HOST);
    assertThat(HOLD.origin()).isEqualTo(PinOrigin.OPERATOR);
  }

  @Test
  void itSaysWhoSetItAndWhy() {
    assertThat(VERSION.describe()).isEqualTo("till is pinned to 1.4 by ann until 2026-02-01T00:00:00Z: certified");
    assertThat(HOLD.describe()).isEqualTo("till is held by bob: audit");
    assertThat(OWNER.describe())
        .isEqualTo("till is held on left by its owner (root) until 2026-02-01T00:00:00Z: stocktaking");
  }

  private static Optional<Pin> blocking(List<Pin> pins, String packageName, String version, Instant time) {
    return Pin.findBlocking(pins, packageName, version, time);
  }
}
