package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An answer is stored, published until it is acknowledged, and published again on request.
final class StoredOutcomesTest extends HostAgentScenario {
  @Test
  void unacknowledgedAnswerIsPublishedUntilItIsAcknowledged() {
    fixture.start();
    fixture.server.acksToLose.set(2);

    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    await().until(() -> fixture.journal().find(upgrade.id()).orElseThrow().sent());
    assertThat(fixture.server.messageIds)
        .anyMatch(id -> id.startsWith(upgrade.id() + ".outcome."))
        .doesNotContain("none");
  }

  @Test
  void bellAfterTheAnswerHasItSentAgainWordForWord() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    fixture.server.notifyAgent();

    await().until(() -> fixture.server.outcomes(upgrade.id()).size() == 2);
    assertThat(fixture.server.outcomes(upgrade.id()).getFirst())
        .isEqualTo(fixture.server.outcomes(upgrade.id()).getLast());
    assertThat(fixture.driver.log).containsExactly("upgrade");
  }

  @Test
  void periodicReadDoesNotSendTheAnswerAgain() {
    fixture.pollsEvery(Duration.ofMillis(50)).start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);
    int looks = fixture.server.mailboxReads.get();

    await().until(() -> fixture.server.mailboxReads.get() >= looks + 3);

    assertThat(fixture.server.outcomes(upgrade.id())).hasSize(1);
  }

  @Test
  void reconnectHasTheAnswerSentAgain() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);

    fixture.server.becomeAvailable();

    await().until(() -> fixture.server.outcomes(upgrade.id()).size() == 2);
  }

  @Test
  void unfinishedCommandContinuesInTheNextAgentAndHasOneAnswer() throws InterruptedException {
    var hold = new FakeDriver.Hold(new CommandResult.Done());
    fixture.driver.upgrades = hold;
    fixture.start();
    Command upgrade =
        fixture.send(fixture.next(fixture.draft(CommandAction.UPGRADE).expect(new Command.Expect("1.4.0", ""))));
    hold.started.await();
    fixture.stop();
    assertThat(fixture.server.outcomes(upgrade.id())).isEmpty();
    fixture.driver.version = "half-way";
    fixture.driver.upgrades = _ -> new CommandResult.Done();

    fixture.start();

    assertThat(result(upgrade)).isEqualTo(new CommandResult.Done());
    assertThat(fixture.driver.log).containsExactly("upgrade", "upgrade");
    fixture.awaitIdle();
    assertThat(fixture.server.outcomes(upgrade.id())).hasSize(1);
  }

  @Test
  void answerThatWasKeptAndNotSaidIsSaidByTheNextAgent() {
    fixture.start();
    Command upgrade = fixture.send(CommandAction.UPGRADE);
    var _ = fixture.server.outcome(upgrade);
    fixture.server.acksToLose.set(1000);
    Command prepare = fixture.send(CommandAction.PREPARE);
    await()
        .until(
            () -> fixture.journal().find(prepare.id()).filter(commandRecord -> commandRecord.isAnswered()).isPresent());
    fixture.stop();
    fixture.server.clearMailbox();
    fixture.server.acksToLose.set(0);
    int before = fixture.server.outcomes(prepare.id()).size();

    fixture.start();

    await().until(() -> fixture.server.outcomes(prepare.id()).size() > before);
    assertThat(fixture.driver.log).containsExactly("upgrade", "prepare");
    assertThat(fixture.server.outcomes(upgrade.id())).hasSize(1);
  }

  /// Another host may have used its id: the stream keeps the ids of all hosts together.
  @Test
  void outcomeThatTheStreamHasDroppedIsSentOnceMoreUnderAnotherId() {
    fixture.start();
    fixture.server.duplicatesToAnswer.set(1);
    Command inspect = fixture.send(CommandAction.INSPECT);
    var _ = fixture.server.outcome(inspect);
    fixture.awaitIdle();

    List<String> ids = fixture.server.messageIds.stream().filter(id -> id.startsWith(inspect.id() + ".")).toList();
    assertThat(ids).hasSize(2).doesNotHaveDuplicates();
    assertThat(fixture.server.outcomes(inspect.id())).hasSize(2);
    assertThat(fixture.server.outcomes(inspect.id()).getFirst())
        .isEqualTo(fixture.server.outcomes(inspect.id()).getLast());
  }
}
