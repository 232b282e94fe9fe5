package dev.uplift.agent.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.SignedTrustRoot;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
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
final class RootRotationTest {
  @TempDir Path folder;
  @TempDir Path state;
  private HostAgentFixture fixture;

  @BeforeEach
  void open() throws Exception {
    fixture = new HostAgentFixture(folder).storesRootsIn(state);
  }

  @AfterEach
  void close() {
    fixture.close();
  }

  @Test
  void hostThatWasOffWhileAllKeysWereExchangedTwiceObeysTheNewestAlone() throws Exception {
    SigningKey before = fixture.rootSigner.command;
    storeRoot(fixture.rootSigner.rotateAll());
    storeRoot(fixture.rootSigner.rotateAll());
    fixture.server.key = fixture.rootSigner.command;

    fixture.start();

    assertThat(outcome(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    assertThat(fixture.trust().root().version()).isEqualTo(3);
    fixture.server.key = before;
    Command old = fixture.send(CommandAction.INSPECT);
    await().until(() -> fixture.server.info().rejectedMessages() > 0 || refusedInTheEnd());
    assertThat(fixture.server.outcomes(old.id())).isEmpty();
  }

  @Test
  void commandOfAKeyThatTheHostDoesNotKnowYetHasItLookForTheNewRoot() {
    fixture.start();
    assertThat(outcome(fixture.send(CommandAction.INSPECT))).isEqualTo(new CommandResult.Done());

    storeRoot(fixture.rootSigner.rotateAll());
    fixture.server.key = fixture.rootSigner.command;

    assertThat(outcome(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    await().until(() -> fixture.server.info().rootVersion() == 2);
  }

  @Test
  void newRootCountsBeforeTheCommandThatComesAfterIt() {
    fixture.start();
    assertThat(outcome(fixture.send(CommandAction.INSPECT))).isEqualTo(new CommandResult.Done());

    // The server continues with a key that was revoked.
    storeRoot(fixture.rootSigner.rotateAll());
    Command stolen = fixture.send(CommandAction.INSPECT);
    fixture.server.key = fixture.rootSigner.command;
    fixture.awaitIdle();

    assertThat(fixture.server.outcomes(stolen.id())).isEmpty();
  }

  @Test
  void whatWasTakenIsThereAfterARestartAndWhatWasInstalledCountsNoMore() throws Exception {
    storeRoot(fixture.rootSigner.rotateAll());
    fixture.server.key = fixture.rootSigner.command;
    fixture.start();
    fixture.awaitIdle();
    fixture.stop();

    TrustStore again = TrustStore.open(FileOps.onDisk(), folder, state, "acme");

    assertThat(again.root().version()).isEqualTo(2);
    assertThat(Files.readAllBytes(state.resolve("root.json"))).isEqualTo(fixture.rootSigner.root().write());
  }

  @Test
  void installedRootOfAHigherVersionBeginsANewChain() throws Exception {
    storeRoot(fixture.rootSigner.next());
    fixture.start();
    fixture.awaitIdle();
    fixture.stop();
    var newChain = new RootSigner();
    for (int version = 2; version <= 5; version++) {
      var _ = newChain.next();
    }
    Files.write(folder.resolve("root.json"), newChain.root().write());

    TrustStore again = TrustStore.open(FileOps.onDisk(), folder, state, "acme");

    assertThat(again.root()).isEqualTo(newChain.root());
  }

  @Test
  void rootThatIsNoSuccessorIsRefusedAndCounted() {
    var stranger = new RootSigner();
    fixture.server.storeRoot(2, stranger.next());
    fixture.start();

    assertThat(outcome(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());

    assertThat(fixture.trust().root().version()).isEqualTo(1);
    await().until(() -> fixture.server.info().rejectedMessages() == 1);
  }

  @Test
  void whatIsNoRootAtAllIsRefused() {
    fixture.server.storeRoot(2, new SignedTrustRoot("no json", ""));
    fixture.start();

    assertThat(outcome(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
    assertThat(fixture.trust().root().version()).isEqualTo(1);
  }

  @Test
  void expiredRootBeginsNothingNewButGoesBack() {
    fixture.start();
    assertThat(outcome(fixture.send(CommandAction.UPGRADE))).isEqualTo(new CommandResult.Done());
    fixture.rootSigner.expiresAt = FakeServer.NOW.minusSeconds(1);
    storeRoot(fixture.rootSigner.next());

    assertThat(code(fixture.send(CommandAction.PREPARE))).isEqualTo("root-expired");
    assertThat(code(fixture.send(CommandAction.UPGRADE))).isEqualTo("root-expired");
    assertThat(outcome(fixture.send(CommandAction.ROLLBACK))).isEqualTo(new CommandResult.Done());

    fixture.rootSigner.expiresAt = FakeServer.NOW.plus(Duration.ofDays(1));
    storeRoot(fixture.rootSigner.next());
    assertThat(outcome(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void releaseOfARevokedKeyNeedsAnotherSignature() {
    var draft = fixture.draft(CommandAction.PREPARE);
    storeRoot(fixture.rootSigner.rotateAll());
    fixture.server.key = fixture.rootSigner.command;
    fixture.start();

    CommandResult refused = outcome(fixture.send(fixture.next(draft)));

    assertThat(refused)
        .isInstanceOfSatisfying(
            CommandResult.Failed.class,
            failed -> {
              assertThat(failed.code()).isEqualTo("release-untrusted");
              assertThat(failed.errorClass()).isEqualTo(WireErrorClass.RETRYABLE);
            });
    assertThat(outcome(fixture.send(CommandAction.PREPARE))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void rootOfAnotherTenantIsAMistakeOfTheConfiguration() {
    assertThatThrownBy(() -> TrustStore.readInstalled(folder, "other"))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("root.json: tenant: expected other, found acme");
  }

  @Test
  void signatureOfARootIsNoneOfACommand() {
    fixture.start();
    byte[] body = fixture.next(CommandAction.INSPECT).write();
    fixture.server.store(body, fixture.rootSigner.command.sign(SignatureDomain.ROOT, body));
    fixture.server.notifyAgent();

    await().until(this::refusedInTheEnd);
  }

  private boolean refusedInTheEnd() {
    fixture.server.notifyAgent();
    return fixture.server.info().rejectedMessages() > 0;
  }

  private void storeRoot(SignedTrustRoot root) {
    fixture.server.storeRoot(fixture.rootSigner.root().version(), root);
  }

  private CommandResult outcome(Command command) {
    return ((Event.Outcome) fixture.server.outcome(command).content()).result();
  }

  private String code(Command command) {
    return ((CommandResult.Failed) outcome(command)).code();
  }
}
