package dev.uplift.store.rollout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.RolloutId;
import dev.uplift.store.Page;
import dev.uplift.store.PageRequest;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class RolloutDecisionRepositoryTest extends RolloutRepositoryScenario {
  private RolloutDecisionRepository decisions = database.repository(RolloutDecisionRepository.class);

  @BeforeEach
  void openLog() {
    decisions = database.repository(RolloutDecisionRepository.class);
  }

  @Test
  void onlyChangedDecisionsAreWritten() {
    RolloutId north = north();

    assertThat(decided(north, wait(1, "in-work", "3 in progress"))).isPresent();
    assertThat(decided(north, wait(1, "in-work", "2 in progress"))).isEmpty();
    assertThat(decided(north, wait(1, "soak", "soaks"))).isPresent();
    assertThat(decided(north, wait(2, "soak", "soaks"))).isPresent();

    assertThat(decisions.list(north, PageRequest.first(10)).rows())
        .extracting(row -> row.number() + " " + row.decision().message())
        .containsExactly("3 soaks", "2 soaks", "1 3 in progress");
    DecisionRow newest = decisions.findLast(north).orElseThrow();
    assertThat(newest.decision()).isEqualTo(wait(2, "soak", "soaks"));
    assertThat(newest.decidedAt()).isEqualTo(clock.instant());
  }

  @Test
  void aRepeatedRequestHasTheSameAnswer() {
    RolloutId north = north();
    var pause = new NewDecision(1, "pause", "", "paused by ann", "", "ann", Optional.of("request-1"));
    var other = new NewDecision(1, "pause", "", "was paused", "", "ann", Optional.of("request-1"));

    DecisionRow first = database.inTransaction(() -> decisions.append(north, pause));
    DecisionRow again = database.inTransaction(() -> decisions.append(north, other));

    assertThat(again).isEqualTo(first);
    assertThat(decisions.findByRequest(north, "request-1")).contains(first);
    assertThat(decisions.findByRequest(north, "request-2")).isEmpty();
  }

  @Test
  void theLogCanBeFollowed() {
    RolloutId north = north();
    for (int i = 1; i <= 4; i++) {
      decided(north, wait(i, "soak", "soaks"));
    }

    List<DecisionRow> some = decisions.listSince(north, 1, 2);
    assertThat(some).extracting(DecisionRow::number).containsExactly(2L, 3L);
    assertThat(decisions.listSince(north, 4, 2)).isEmpty();
    Page<DecisionRow> page = decisions.list(north, PageRequest.first(3));
    assertThat(page.next()).isPresent();
    PageRequest rest = PageRequest.first(3).next(page).orElseThrow();
    assertThat(decisions.list(north, rest).rows()).extracting(DecisionRow::number).containsExactly(1L);
  }

  @Test
  void aDecisionIsWrittenInTheTransactionOfItsEffect() {
    RolloutId north = north();
    NewDecision decision = wait(1, "soak", "soaks");

    assertThatThrownBy(() -> decisions.append(north, decision)).isInstanceOf(IllegalStateException.class);
  }

  private Optional<DecisionRow> decided(RolloutId id, NewDecision decision) {
    return database.inTransaction(() -> {
      assertThat(rollouts.lock(id)).isPresent();
      return decisions.appendIfNew(id, decision);
    });
  }

  private static NewDecision wait(int wave, String word, String sentence) {
    return new NewDecision(wave, "wait", word, sentence, "inputs", "uplift", Optional.empty());
  }
}
