package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ReadTriggersTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ReadTriggers triggers =
      new ReadTriggers(nanos::get, AgentIntervals.defaults(Duration.ofSeconds(30)));

  @Test
  void manyRingsAreOneLook() {
    triggers.add(ReadReason.NOTIFIED);
    triggers.add(ReadReason.NOTIFIED);

    assertThat(triggers.pollDue()).contains(ReadReason.NOTIFIED);
    assertThat(triggers.pollDue()).isEmpty();
  }

  @Test
  void bestReasonCounts() {
    triggers.add(ReadReason.WORKER_FREE);
    triggers.add(ReadReason.CONNECTED);
    triggers.add(ReadReason.NOTIFIED);

    assertThat(triggers.pollDue()).contains(ReadReason.CONNECTED);
  }

  @Test
  void fewLooksMayComeInARowAndThenOneASecond() {
    int looks = 0;
    for (int ms = 0; ms < 60_000; ms += 10) {
      triggers.add(ReadReason.NOTIFIED);
      if (triggers.pollDue().isPresent()) {
        looks++;
      }
      nanos.addAndGet(10_000_000);
    }

    assertThat(looks).isBetween(60, 60 + ReadTriggers.MAX_BURST);
  }

  @Test
  void afterABellWithNothingNewItLooksAfterTwoAndEightSeconds() {
    read(ReadReason.NOTIFIED, false);

    advance(Duration.ofMillis(1999));
    assertThat(triggers.pollDue()).isEmpty();
    advance(Duration.ofMillis(1));
    assertThat(triggers.pollDue()).contains(ReadReason.RECHECK);
    triggers.recordRead(false);
    advance(Duration.ofMillis(5999));
    assertThat(triggers.pollDue()).isEmpty();
    advance(Duration.ofMillis(1));
    assertThat(triggers.pollDue()).contains(ReadReason.RECHECK);
    triggers.recordRead(false);
    advance(Duration.ofMinutes(3));
    assertThat(triggers.pollDue()).isEmpty();
  }

  @Test
  void afterABellWithSomethingNewItDoesNot() {
    read(ReadReason.NOTIFIED, true);

    advance(Duration.ofSeconds(10));

    assertThat(triggers.pollDue()).isEmpty();
  }

  @Test
  void withoutABellItLooksAboutEveryFiveMinutes() {
    advance(Duration.ofMinutes(4).minusSeconds(1));
    assertThat(triggers.pollDue()).isEmpty();

    advance(Duration.ofMinutes(2).plusSeconds(2));
    assertThat(triggers.pollDue()).contains(ReadReason.PERIODIC);
  }

  @Test
  void onlyAConnectionAndABellHaveAnAnswerSentAgain() {
    assertThat(ReadReason.values())
        .filteredOn(ReadReason::resendsOutcome)
        .containsExactly(ReadReason.CONNECTED, ReadReason.NOTIFIED);
  }

  @Test
  void bellThatRangWhenItConnectedIsNotForgotten() {
    triggers.add(ReadReason.NOTIFIED);
    read(ReadReason.CONNECTED, false);

    advance(Duration.ofSeconds(2));

    assertThat(triggers.pollDue()).contains(ReadReason.RECHECK);
  }

  private void read(ReadReason readReason, boolean isNew) {
    triggers.add(readReason);
    assertThat(triggers.pollDue()).contains(readReason);
    triggers.recordRead(isNew);
  }

  private void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
