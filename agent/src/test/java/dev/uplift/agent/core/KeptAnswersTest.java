package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Result;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/// An answer is kept, is said until it is heard, and is said again to whoever asks.
final class KeptAnswersTest extends RigScenario {
  @Test
  void answerThatNobodyHeardIsSaidUntilItIsHeard() {
    rig.start();
    rig.server.acksToLose.set(2);

    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    await().until(() -> rig.ops().find(upgrade.id()).orElseThrow().sent());
    assertThat(rig.server.messageIds).contains(upgrade.id() + ".outcome").doesNotContain("none");
  }

  @Test
  void bellAfterTheAnswerHasItSentAgainWordForWord() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    rig.server.ring();

    await().until(() -> rig.server.outcomes(upgrade.id()).size() == 2);
    assertThat(rig.server.outcomes(upgrade.id()).getFirst())
        .isEqualTo(rig.server.outcomes(upgrade.id()).getLast());
    assertThat(rig.driver.log).containsExactly("upgrade");
  }

  @Test
  void periodicReadDoesNotSendTheAnswerAgain() {
    rig.looksEvery(Duration.ofMillis(50)).start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);
    int looks = rig.server.looks.get();

    await().until(() -> rig.server.looks.get() >= looks + 3);

    assertThat(rig.server.outcomes(upgrade.id())).hasSize(1);
  }

  @Test
  void reconnectHasTheAnswerSentAgain() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);

    rig.server.comeBack();

    await().until(() -> rig.server.outcomes(upgrade.id()).size() == 2);
  }

  @Test
  void unfinishedWorkGoesOnInTheNextAgentAndHasOneAnswer() throws InterruptedException {
    var hold = new FakeDriver.Hold(new Result.Done());
    rig.driver.upgrades = hold;
    rig.start();
    Command upgrade =
        rig.send(rig.next(rig.draft(Action.UPGRADE).expecting(new Command.Expect("1.4.0", ""))));
    hold.begun.await();
    rig.stop();
    assertThat(rig.server.outcomes(upgrade.id())).isEmpty();
    rig.driver.version = "half-way";
    rig.driver.upgrades = _ -> new Result.Done();

    rig.start();

    assertThat(result(upgrade)).isEqualTo(new Result.Done());
    assertThat(rig.driver.log).containsExactly("upgrade", "upgrade");
    rig.settle();
    assertThat(rig.server.outcomes(upgrade.id())).hasSize(1);
  }

  @Test
  void answerThatWasKeptAndNotSaidIsSaidByTheNextAgent() {
    rig.start();
    Command upgrade = rig.send(Action.UPGRADE);
    var _ = rig.server.outcome(upgrade);
    rig.server.acksToLose.set(1000);
    Command prepare = rig.send(Action.PREPARE);
    await().until(() -> rig.ops().find(prepare.id()).filter(op -> op.isAnswered()).isPresent());
    rig.stop();
    rig.server.emptySlot();
    rig.server.acksToLose.set(0);
    int before = rig.server.outcomes(prepare.id()).size();

    rig.start();

    await().until(() -> rig.server.outcomes(prepare.id()).size() > before);
    assertThat(rig.driver.log).containsExactly("upgrade", "prepare");
    assertThat(rig.server.outcomes(upgrade.id())).hasSize(1);
  }
}
