package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class ReasonsTest {
  private final AtomicLong nanos = new AtomicLong();
  private final Reasons reasons = new Reasons(nanos::get, Tempo.beating(Duration.ofSeconds(30)));

  @Test
  void manyRingsAreOneLook() {
    reasons.add(Reason.BELL);
    reasons.add(Reason.BELL);

    assertThat(reasons.takeDue()).contains(Reason.BELL);
    assertThat(reasons.takeDue()).isEmpty();
  }

  @Test
  void bestReasonCounts() {
    reasons.add(Reason.FREE);
    reasons.add(Reason.CONNECTED);
    reasons.add(Reason.BELL);

    assertThat(reasons.takeDue()).contains(Reason.CONNECTED);
  }

  @Test
  void fewLooksMayComeInARowAndThenOneASecond() {
    int looks = 0;
    for (int ms = 0; ms < 60_000; ms += 10) {
      reasons.add(Reason.BELL);
      if (reasons.takeDue().isPresent()) {
        looks++;
      }
      nanos.addAndGet(10_000_000);
    }

    assertThat(looks).isBetween(60, 60 + Reasons.AT_ONCE);
  }

  @Test
  void afterABellWithNothingNewItLooksAfterTwoAndEightSeconds() {
    look(Reason.BELL, false);

    pass(Duration.ofMillis(1999));
    assertThat(reasons.takeDue()).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(reasons.takeDue()).contains(Reason.AGAIN);
    reasons.looked(false);
    pass(Duration.ofMillis(5999));
    assertThat(reasons.takeDue()).isEmpty();
    pass(Duration.ofMillis(1));
    assertThat(reasons.takeDue()).contains(Reason.AGAIN);
    reasons.looked(false);
    pass(Duration.ofMinutes(3));
    assertThat(reasons.takeDue()).isEmpty();
  }

  @Test
  void afterABellWithSomethingNewItDoesNot() {
    look(Reason.BELL, true);

    pass(Duration.ofSeconds(10));

    assertThat(reasons.takeDue()).isEmpty();
  }

  @Test
  void withoutABellItLooksAboutEveryFiveMinutes() {
    pass(Duration.ofMinutes(4).minusSeconds(1));
    assertThat(reasons.takeDue()).isEmpty();

    pass(Duration.ofMinutes(2).plusSeconds(2));
    assertThat(reasons.takeDue()).contains(Reason.PERIODIC);
  }

  @Test
  void onlyAConnectionAndABellHaveAnAnswerSentAgain() {
    assertThat(Reason.values())
        .filteredOn(Reason::sendsAgain)
        .containsExactly(Reason.CONNECTED, Reason.BELL);
  }

  @Test
  void bellThatRangWhenItConnectedIsNotForgotten() {
    reasons.add(Reason.BELL);
    look(Reason.CONNECTED, false);

    pass(Duration.ofSeconds(2));

    assertThat(reasons.takeDue()).contains(Reason.AGAIN);
  }

  private void look(Reason reason, boolean isNew) {
    reasons.add(reason);
    assertThat(reasons.takeDue()).contains(reason);
    reasons.looked(isNew);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }
}
