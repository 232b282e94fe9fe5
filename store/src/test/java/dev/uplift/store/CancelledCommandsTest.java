package dev.uplift.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Step;
import org.junit.jupiter.api.Test;

/// What an abort does to commands, minted or not.
final class CancelledCommandsTest extends CommandsScenario {
  @Test
  void aCancelTakesThePlaceOfItsCommand() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);

    CommandRow cancel = commands.cancel(row.key(), CANCEL).orElseThrow();
    CommandRow cancelled = commands.await(row.key(), WAITER, NEVER);

    assertThat(cancel.key().step()).isEqualTo(Step.CANCEL);
    assertThat(cancel.epoch()).isEqualTo(row.epoch() + 1);
    assertThat(cancel.toSend().body()).isEqualTo("cancel " + row.id() + " " + cancel.epoch());
    assertThat(cancelled.toSend()).isEqualTo(cancel.toSend());
    assertThat(cancelled.command()).isEqualTo(row.command());
    assertThat(commands.cancel(row.key(), CANCEL)).contains(cancel);
  }

  @Test
  void eachCommandHasACancelOfItsOwn() {
    CommandRow prepare = commands.await(key(Step.PREPARE, 1), WAITER, MINT);
    CommandRow upgrade = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);

    CommandRow one = commands.cancel(prepare.key(), CANCEL).orElseThrow();
    CommandRow other = commands.cancel(upgrade.key(), CANCEL).orElseThrow();

    assertThat(one.toSend().body()).contains(prepare.id());
    assertThat(other.toSend().body()).contains(upgrade.id());
    assertThat(commands.cancel(prepare.key(), CANCEL)).contains(one);
  }

  @Test
  void theAnswerToACancelledCommandStillEndsItsWait() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    commands.cancel(row.key(), CANCEL);

    Settled settled = commands.settle(tenant, LEFT, row.id(), "cancelled").orElseThrow();

    assertThat(settled.first()).isTrue();
    assertThat(settled.row().waiter()).contains(WAITER);
    assertThat(commands.cancel(row.key(), CANCEL)).isEmpty();
  }

  @Test
  void aCommandThatIsCancelledBeforeItIsMintedNeverIs() {
    assertThat(commands.cancel(key(Step.UPGRADE, 1), CANCEL)).isEmpty();
    assertThat(commands.cancel(key(Step.UPGRADE, 1), CANCEL)).isEmpty();

    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, NEVER);

    assertThat(row.isWithdrawn()).isTrue();
    assertThat(row.times().settled()).contains(clock.instant());
    assertThatThrownBy(row::toSend).isInstanceOf(IllegalStateException.class);
    assertThat(commands.settle(tenant, LEFT, row.id(), "done")).isEmpty();
    assertThat(timeline()).extracting(TimelineEntry::withdrawn).containsExactly(true);
    // The next one on purpose is another.
    assertThat(commands.await(key(Step.UPGRADE, 2), WAITER, MINT).isWithdrawn()).isFalse();
  }

  @Test
  void aCommandThatHasItsOutcomeIsNotCancelled() {
    CommandRow row = commands.await(key(Step.UPGRADE, 1), WAITER, MINT);
    commands.settle(tenant, LEFT, row.id(), "done");

    assertThat(commands.cancel(row.key(), CANCEL)).isEmpty();
    assertThat(commands.find(row.key()).orElseThrow().cancel()).isEmpty();
  }
}
