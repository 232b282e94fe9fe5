package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.command.ReadTriggers.Reason;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ReadTriggersTest {
  private final AtomicLong nanos = new AtomicLong();
  private final ReadTriggers triggers = new ReadTriggers(nanos::get, AgentIntervals.defaults(Duration.ofSeconds(30)));

  @Test
  void manyRingsAreOneLook() {
    triggers.add(Reason.NOTIFIED);
    triggers.add(Reason.NOTIFIED);

    assertThat(triggers.pollDue()).contains(Reason.NOTIFIED);
    assertThat(triggers.pollDue()).isEmpty();
  }

  @Test
  void bestReasonCounts() {
    triggers.add(Reason.WORKER_FREE);
    triggers.add(Reason.CONNECTED);
    triggers.add(Reason.NOTIFIED);

    assertThat(triggers.pollDue()).contains(Reason.CONNECTED);
  }

  @Test
  void fewLooksMayComeInARowAndThenOneASecond() {
    int looks = 0;
    for (int ms = 0; ms < 60_000; ms += 10) {
      triggers.add(Reason.NOTIFIED);
      if (triggers.pollDue().isPresent()) {
        looks++;
      }
      nanos.addAndGet(10_000_000);
    }

    assertThat(looks).isBetween(60, 60 + ReadTriggers.MAX_BURST);
  }

  @Test
  void afterANotificationWithNothingNewItReadsAtOnceAndAfterTwoAndEightSeconds() {
    read(Reason.NOTIFIED, false);

    assertNextRecheckAfter(Duration.ofMillis(100));
    assertNextRecheckAfter(Duration.ofMillis(1900));
    assertNextRecheckAfter(Duration.ofSeconds(6));
    advance(Duration.ofMinutes(3));
    assertThat(triggers.pollDue()).isEmpty();
  }

  private void assertNextRecheckAfter(Duration pause) {
    advance(pause.minusMillis(1));
    assertThat(triggers.pollDue()).isEmpty();
    advance(Duration.ofMillis(1));
    assertThat(triggers.pollDue()).contains(Reason.RECHECK);
    triggers.recordRead(false);
  }

  @Test
  void afterABellWithSomethingNewItDoesNot() {
    read(Reason.NOTIFIED, true);

    advance(Duration.ofSeconds(10));

    assertThat(triggers.pollDue()).isEmpty();
  }

  @Test
  void withoutABellItLooksAboutEveryFiveMinutes() {
    advance(Duration.ofMinutes(4).minusSeconds(1));
    assertThat(triggers.pollDue()).isEmpty();

    advance(Duration.ofMinutes(2).plusSeconds(2));
    assertThat(triggers.pollDue()).contains(Reason.PERIODIC);
  }

  @Test
  void onlyAConnectionAndABellHaveAnAnswerSentAgain() {
    assertThat(Reason.values()).filteredOn(Reason::resendsOutcome).containsExactly(Reason.CONNECTED, Reason.NOTIFIED);
  }

  @Test
  void bellThatRangWhenItConnectedIsNotForgotten() {
    triggers.add(Reason.NOTIFIED);
    read(Reason.CONNECTED, false);

    advance(Duration.ofSeconds(2));

    assertThat(triggers.pollDue()).contains(Reason.RECHECK);
  }

  private void read(Reason readReason, boolean isNew) {
    triggers.add(readReason);
    assertThat(triggers.pollDue()).contains(readReason);
    triggers.recordRead(isNew);
  }

  private void advance(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
