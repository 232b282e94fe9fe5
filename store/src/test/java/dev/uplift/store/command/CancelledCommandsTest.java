package dev.uplift.store.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Step;
import org.junit.jupiter.api.Test;

/// The effect of an abort on commands, created or not.
final class CancelledCommandsTest extends CommandRepositoryScenario {
  @Test
  void aCancelReplacesItsCommand() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);

    CommandRow cancel = commands.cancel(row.key(), CANCEL_ENCODER).orElseThrow();
    CommandRow cancelled = commands.createIfAbsent(row.key(), RELEASE, WAITER, NEVER_CALLED);

    assertThat(cancel.key().step()).isEqualTo(Step.CANCEL);
    assertThat(cancel.epoch()).isEqualTo(row.epoch() + 1);
    assertThat(cancel.toPublish().body()).isEqualTo("cancel " + row.id() + " " + cancel.epoch());
    assertThat(cancelled.toPublish()).isEqualTo(cancel.toPublish());
    assertThat(cancelled.command()).isEqualTo(row.command());
    assertThat(commands.cancel(row.key(), CANCEL_ENCODER)).contains(cancel);
  }

  @Test
  void eachCommandHasItsOwnCancel() {
    CommandRow prepare = commands.createIfAbsent(key(Step.PREPARE, 1), RELEASE, WAITER, ENCODER);
    CommandRow upgrade = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);

    CommandRow one = commands.cancel(prepare.key(), CANCEL_ENCODER).orElseThrow();
    CommandRow other = commands.cancel(upgrade.key(), CANCEL_ENCODER).orElseThrow();

    assertThat(one.toPublish().body()).contains(prepare.id());
    assertThat(other.toPublish().body()).contains(upgrade.id());
    assertThat(commands.cancel(prepare.key(), CANCEL_ENCODER)).contains(one);
  }

  @Test
  void theAnswerToACancelledCommandStillEndsItsWait() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    commands.cancel(row.key(), CANCEL_ENCODER);

    OutcomeRecorded outcomeRecorded = commands.recordOutcome(tenant, LEFT, row.id(), "cancelled").orElseThrow();

    assertThat(outcomeRecorded.isFirst()).isTrue();
    assertThat(outcomeRecorded.row().waiter()).contains(WAITER);
    assertThat(outcomeRecorded.row().cancel()).isPresent();
    assertThat(commands.cancel(row.key(), CANCEL_ENCODER)).isEmpty();
  }

  @Test
  void aCommandThatIsCancelledBeforeItsCreationIsNeverCreated() {
    assertThat(commands.cancel(key(Step.UPGRADE, 1), CANCEL_ENCODER)).isEmpty();
    assertThat(commands.cancel(key(Step.UPGRADE, 1), CANCEL_ENCODER)).isEmpty();

    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, NEVER_CALLED);

    assertThat(row.isWithdrawn()).isTrue();
    assertThat(row.closedAt()).contains(clock.instant());
    assertThatThrownBy(row::toPublish).isInstanceOf(IllegalStateException.class);
    assertThat(commands.recordOutcome(tenant, LEFT, row.id(), "done")).isEmpty();
    assertThat(timeline()).extracting(entry -> entry.row().isWithdrawn()).containsExactly(true);
    // The next generation is another command.
    assertThat(commands.createIfAbsent(key(Step.UPGRADE, 2), RELEASE, WAITER, ENCODER).isWithdrawn()).isFalse();
  }

  @Test
  void aCommandWithAnOutcomeIsNotCancelled() {
    CommandRow row = commands.createIfAbsent(key(Step.UPGRADE, 1), RELEASE, WAITER, ENCODER);
    commands.recordOutcome(tenant, LEFT, row.id(), "done");

    assertThat(commands.cancel(row.key(), CANCEL_ENCODER)).isEmpty();
    assertThat(commands.find(row.key()).orElseThrow().cancel()).isEmpty();
  }
}
