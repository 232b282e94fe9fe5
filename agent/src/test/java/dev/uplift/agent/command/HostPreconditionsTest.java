package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.agent.TestCommandBuilder;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.WireErrorClass;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class HostPreconditionsTest extends HostAgentScenario {
  @BeforeEach
  void start() {
    fixture.start();
  }

  @Test
  void hostThatRunsAnotherVersionThanExpectedIsNotTouched() {
    Command upgrade = sent(expecting("1.3.0", ""));

    assertThat(code(upgrade)).isEqualTo("precondition-failed");
    assertThat(fixture.driver.log).isEmpty();
  }

  @Test
  void hostThatIsThereAlreadyNeedsNotBeAsExpected() {
    fixture.driver.version = "1.5.0";

    assertThat(result(sent(expecting("1.4.0", "")))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void hostInAnotherBootThanExpectedIsNotTouched() {
    assertThat(code(sent(expecting("", HostAgentFixture.NEXT_BOOT)))).isEqualTo("precondition-failed");
    assertThat(fixture.driver.log).isEmpty();
  }

  @Test
  void hostThatIsAsExpectedIsUpgraded() {
    assertThat(result(sent(expecting("1.4.0", HostAgentFixture.BOOT)))).isEqualTo(new CommandResult.Done());
  }

  @Test
  void releaseThatMayNotBeInstalledOverWhatIsThereIsRefused() {
    Command prepare =
        sent(fixture.draft(CommandAction.PREPARE, HostAgentFixture.release("1.5.0", 42, List.of("1.3.0"))));

    assertThat(code(prepare)).isEqualTo("unsupported-base-version");
  }

  @Test
  void releaseThatOnlyTheServerSignedIsRefused() {
    ReleaseManifest release = HostAgentFixture.release("1.5.0", 42);
    Command prepare =
        sent(
            fixture
                .draft(CommandAction.PREPARE)
                .release(
                    new String(release.write(), UTF_8),
                    fixture.server.key.sign(SignatureDomain.RELEASE, release.write())));

    assertThat(code(prepare)).isEqualTo("release-untrusted");
  }

  @Test
  void releaseOfAnotherSignerIsRejected() {
    ReleaseManifest release = HostAgentFixture.release("1.5.0", 42);
    Command prepare =
        sent(
            fixture
                .draft(CommandAction.PREPARE)
                .release(
                    new String(release.write(), UTF_8),
                    SigningKey.generate().sign(SignatureDomain.RELEASE, release.write())));

    assertThat(code(prepare)).isEqualTo("release-untrusted");
  }

  @Test
  void releaseOfAnotherVersionThanTheCommandSaysIsRefused() {
    Command prepare = sent(fixture.draft(CommandAction.PREPARE).target("shopd", "1.6.0"));

    assertThat(code(prepare)).isEqualTo("release-mismatch");
  }

  @Test
  void digestThatTheReleaseDoesNotNameIsRefused() {
    Command upgrade = sent(fixture.draft(CommandAction.UPGRADE).digest("0".repeat(64)));

    assertThat(code(upgrade)).isEqualTo("release-mismatch");
  }

  @Test
  void packageThatThisHostHasNotIsRefused() {
    assertThat(code(sent(fixture.draft(CommandAction.PREPARE).target("os", "1.5.0")))).isEqualTo("unknown-package");
  }

  @Test
  void olderReleaseIsRefusedAfterANewerOneWasBroughtUnlessBothAllowIt() {
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE)))).isEqualTo(new CommandResult.Done());
    ReleaseManifest older = HostAgentFixture.release("1.4.9", 41);

    assertThat(code(sent(fixture.draft(CommandAction.PREPARE, older)))).isEqualTo("downgrade");
    assertThat(code(sent(fixture.draft(CommandAction.UPGRADE, older)))).isEqualTo("downgrade");
    assertThat(code(sent(fixture.draft(CommandAction.UPGRADE, older).allowDowngrade(true)))).isEqualTo("downgrade");
    TestCommandBuilder permitted =
        fixture
            .draft(CommandAction.UPGRADE, older)
            .release(new String(older.write(), UTF_8), fixture.signedForDowngrade(older));
    assertThat(code(sent(permitted))).isEqualTo("downgrade");
    assertThat(result(sent(permitted.allowDowngrade(true)))).isEqualTo(new CommandResult.Done());
    assertThat(fixture.journal().sequence("shopd")).isEqualTo(41);
  }

  @Test
  void releaseForAnotherTenantIsRefusedThoughItsKeyIsTrusted() {
    ReleaseManifest foreign = HostAgentFixture.releaseOf("other");

    assertThat(code(sent(fixture.draft(CommandAction.PREPARE, foreign)))).isEqualTo("release-mismatch");
    assertThat(result(sent(fixture.draft(CommandAction.PREPARE, HostAgentFixture.releaseOf("acme")))))
        .isEqualTo(new CommandResult.Done());
  }

  @Test
  void rolledBackReleaseDoesNotCountAsInstalled() {
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE, HostAgentFixture.release("1.4.5", 40)))))
        .isEqualTo(new CommandResult.Done());
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE)))).isEqualTo(new CommandResult.Done());

    assertThat(result(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "1.4.5"))))
        .isEqualTo(new CommandResult.Done());

    assertThat(fixture.journal().sequence("shopd")).isEqualTo(40);
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE, HostAgentFixture.release("1.4.9", 41)))))
        .isEqualTo(new CommandResult.Done());
  }

  @Test
  void rollBackGoesNoFurtherThanTheLastUpgradeCameFrom() {
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE, HostAgentFixture.release("1.4.5", 40)))))
        .isEqualTo(new CommandResult.Done());
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE)))).isEqualTo(new CommandResult.Done());

    assertThat(code(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "1.4.0")))).isEqualTo("downgrade");
    assertThat(result(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "1.4.5"))))
        .isEqualTo(new CommandResult.Done());
    assertThat(code(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "1.4.0")))).isEqualTo("downgrade");
    assertThat(result(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "1.4.5"))))
        .isEqualTo(new CommandResult.Done());
  }

  /// A thief of the command key reboots the host first, so that its service is down and its version unknown.
  @Test
  void rollBackAfterAnUpgradeFromAnUnknownVersionGoesNoFurtherThanTheLastKnownOne() {
    assertThat(result(sent(fixture.draft(CommandAction.PREPARE)))).isEqualTo(new CommandResult.Done());
    fixture.driver.version = "unknown";
    assertThat(result(sent(fixture.draft(CommandAction.UPGRADE)))).isEqualTo(new CommandResult.Done());

    assertThat(code(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "0.9.0")))).isEqualTo("downgrade");
    assertThat(result(sent(fixture.draft(CommandAction.ROLLBACK).target("shopd", "1.4.0"))))
        .isEqualTo(new CommandResult.Done());
  }

  @Test
  void releaseThatCouldNotBeBroughtDoesNotCountAsHad() {
    fixture.driver.upgrades = _ -> new CommandResult.Failed("broken", WireErrorClass.FINAL, "no");
    assertThat(code(sent(fixture.draft(CommandAction.UPGRADE)))).isEqualTo("broken");

    assertThat(fixture.journal().sequence("shopd")).isZero();
  }

  @Test
  void whatMaySucceedLaterIsTriedUntilItDoes() {
    fixture.driver.prepares =
        _ ->
            fixture.driver.log.size() < 4
                ? new CommandResult.Failed("slow", WireErrorClass.RETRYABLE, "later")
                : new CommandResult.Done();

    assertThat(result(sent(fixture.draft(CommandAction.PREPARE)))).isEqualTo(new CommandResult.Done());
    assertThat(fixture.driver.log).hasSize(4);
  }

  @Test
  void whatMaySucceedLaterIsNotTriedPastItsTime() {
    fixture.driver.prepares = _ -> new CommandResult.Failed("slow", WireErrorClass.RETRYABLE, "later");
    TestCommandBuilder short_ =
        fixture.draft(CommandAction.PREPARE).times(FakeServer.NOW, FakeServer.NOW.plusMillis(1500));

    assertThat(code(sent(short_))).isEqualTo("slow");
    assertThat(fixture.driver.log).hasSizeGreaterThan(1);
  }

  @Test
  void nothingIsTriedOnceMoreWhileAnotherCommandWaits() {
    fixture.driver.upgrades = _ -> new CommandResult.Failed("slow", WireErrorClass.RETRYABLE, "later");
    Command upgrade = sent(fixture.draft(CommandAction.UPGRADE));
    await().until(() -> fixture.driver.log.size() > 1);

    Command rollback = sent(fixture.draft(CommandAction.ROLLBACK));

    assertThat(code(upgrade)).isEqualTo("slow");
    assertThat(result(rollback)).isEqualTo(new CommandResult.Done());
  }

  @Test
  void commitEndsTheTrial() {
    fixture.driver.trial = true;

    Event event = fixture.server.outcome(sent(fixture.draft(CommandAction.COMMIT)));

    assertThat(event.onTrial()).isFalse();
  }

  private TestCommandBuilder expecting(String version, String bootId) {
    return fixture.draft(CommandAction.UPGRADE).expect(new Command.Expect(version, bootId));
  }

  private Command sent(TestCommandBuilder draft) {
    return fixture.send(fixture.next(draft));
  }
}
