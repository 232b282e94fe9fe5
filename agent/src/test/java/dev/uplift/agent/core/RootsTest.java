package dev.uplift.agent.core;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.SignedRoot;
import dev.uplift.protocol.SigningKey;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Keys that are exchanged while hosts work, and while they are off.
@Timeout(120)
final class RootsTest {
  @TempDir Path folder;
  @TempDir Path state;
  private Rig rig;

  @BeforeEach
  void open() throws Exception {
    rig = new Rig(folder).keepsRootsIn(state);
  }

  @AfterEach
  void close() {
    rig.close();
  }

  @Test
  void hostThatWasOffWhileAllKeysWereExchangedTwiceObeysTheNewestAlone() throws Exception {
    SigningKey before = rig.roots.command;
    keep(rig.roots.exchangeAll());
    keep(rig.roots.exchangeAll());
    rig.server.key = rig.roots.command;

    rig.start();

    assertThat(outcome(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());
    assertThat(rig.trust().root().version()).isEqualTo(3);
    rig.server.key = before;
    Command old = rig.send(Action.INSPECT);
    await().until(() -> rig.server.info().refused() > 0 || refusedInTheEnd());
    assertThat(rig.server.outcomes(old.id())).isEmpty();
  }

  @Test
  void commandOfAKeyThatTheHostDoesNotKnowYetHasItLookForTheNewRoot() {
    rig.start();
    assertThat(outcome(rig.send(Action.INSPECT))).isEqualTo(new Result.Done());

    keep(rig.roots.exchangeAll());
    rig.server.key = rig.roots.command;

    assertThat(outcome(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());
    await().until(() -> rig.server.info().rootVersion() == 2);
  }

  @Test
  void newRootCountsBeforeTheCommandThatComesAfterIt() {
    rig.start();
    assertThat(outcome(rig.send(Action.INSPECT))).isEqualTo(new Result.Done());

    // The server goes on with a key that was taken away from it.
    keep(rig.roots.exchangeAll());
    Command stolen = rig.send(Action.INSPECT);
    rig.server.key = rig.roots.command;
    rig.settle();

    assertThat(rig.server.outcomes(stolen.id())).isEmpty();
  }

  @Test
  void whatWasTakenIsThereAfterARestartAndWhatWasInstalledCountsNoMore() throws Exception {
    keep(rig.roots.exchangeAll());
    rig.server.key = rig.roots.command;
    rig.start();
    rig.settle();
    rig.stop();

    Trust again = Trust.open(FileOps.onDisk(), folder, state, "acme");

    assertThat(again.root().version()).isEqualTo(2);
    assertThat(Files.readAllBytes(state.resolve("root.json"))).isEqualTo(rig.roots.root().write());
  }

  @Test
  void installedRootOfAHigherVersionBeginsANewChain() throws Exception {
    keep(rig.roots.next());
    rig.start();
    rig.settle();
    rig.stop();
    var anew = new RootPen();
    for (int version = 2; version <= 5; version++) {
      var _ = anew.next();
    }
    Files.write(folder.resolve("root.json"), anew.root().write());

    Trust again = Trust.open(FileOps.onDisk(), folder, state, "acme");

    assertThat(again.root()).isEqualTo(anew.root());
  }

  @Test
  void rootThatIsNoSuccessorIsRefusedAndCounted() {
    var stranger = new RootPen();
    rig.server.keep(2, stranger.next());
    rig.start();

    assertThat(outcome(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());

    assertThat(rig.trust().root().version()).isEqualTo(1);
    await().until(() -> rig.server.info().refused() == 1);
  }

  @Test
  void whatIsNoRootAtAllIsRefused() {
    rig.server.keep(2, new SignedRoot("no json", ""));
    rig.start();

    assertThat(outcome(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());
    assertThat(rig.trust().root().version()).isEqualTo(1);
  }

  @Test
  void expiredRootBeginsNothingNewButGoesBack() {
    rig.start();
    assertThat(outcome(rig.send(Action.UPGRADE))).isEqualTo(new Result.Done());
    rig.roots.expiresAt = FakeServer.NOW.minusSeconds(1);
    keep(rig.roots.next());

    assertThat(code(rig.send(Action.PREPARE))).isEqualTo("root-expired");
    assertThat(code(rig.send(Action.UPGRADE))).isEqualTo("root-expired");
    assertThat(outcome(rig.send(Action.ROLLBACK))).isEqualTo(new Result.Done());

    rig.roots.expiresAt = FakeServer.NOW.plus(Duration.ofDays(1));
    keep(rig.roots.next());
    assertThat(outcome(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());
  }

  @Test
  void releaseWhoseKeyWasTakenAwayIsWantedAnew() {
    var draft = rig.draft(Action.PREPARE);
    keep(rig.roots.exchangeAll());
    rig.server.key = rig.roots.command;
    rig.start();

    Result refused = outcome(rig.send(rig.next(draft)));

    assertThat(refused)
        .isInstanceOfSatisfying(
            Result.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo("release-untrusted");
              assertThat(failed.errorClass()).isEqualTo(ErrorClass.RETRYABLE);
            });
    assertThat(outcome(rig.send(Action.PREPARE))).isEqualTo(new Result.Done());
  }

  @Test
  void rootOfAnotherTenantIsAMistakeOfTheConfiguration() {
    assertThatThrownBy(() -> Trust.installed(folder, "other"))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("root.json: tenant: expected other, found acme");
  }

  @Test
  void signatureOfARootIsNoneOfACommand() {
    rig.start();
    byte[] body = rig.next(Action.INSPECT).write();
    rig.server.put(body, rig.roots.command.sign(Purpose.ROOT, body));
    rig.server.ring();

    await().until(this::refusedInTheEnd);
  }

  private boolean refusedInTheEnd() {
    rig.server.ring();
    return rig.server.info().refused() > 0;
  }

  private void keep(SignedRoot root) {
    rig.server.keep(rig.roots.root().version(), root);
  }

  private Result outcome(Command command) {
    return ((Event.Outcome) rig.server.outcome(command).said()).result();
  }

  private String code(Command command) {
    return ((Result.Failed) outcome(command)).code();
  }
}
