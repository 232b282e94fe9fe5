package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandDraft;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.SigningKey;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PreconditionsTest extends RigScenario {
  @BeforeEach
  void start() {
    rig.start();
  }

  @Test
  void hostThatRunsAnotherVersionThanExpectedIsNotTouched() {
    Command upgrade = sent(expecting("1.3.0", ""));

    assertThat(code(upgrade)).isEqualTo("precondition-failed");
    assertThat(rig.driver.log).isEmpty();
  }

  @Test
  void hostThatIsThereAlreadyNeedsNotBeAsExpected() {
    rig.driver.version = "1.5.0";

    assertThat(result(sent(expecting("1.4.0", "")))).isEqualTo(new Result.Done());
  }

  @Test
  void hostInAnotherBootThanExpectedIsNotTouched() {
    assertThat(code(sent(expecting("", Rig.NEXT_BOOT)))).isEqualTo("precondition-failed");
    assertThat(rig.driver.log).isEmpty();
  }

  @Test
  void hostThatIsAsExpectedIsUpgraded() {
    assertThat(result(sent(expecting("1.4.0", Rig.BOOT)))).isEqualTo(new Result.Done());
  }

  @Test
  void releaseThatMayNotBeInstalledOverWhatIsThereIsRefused() {
    Command prepare = sent(rig.draft(Action.PREPARE, Rig.release("1.5.0", 42, List.of("1.3.0"))));

    assertThat(code(prepare)).isEqualTo("wrong-base");
  }

  @Test
  void releaseThatOnlyTheServerSignedIsRefused() {
    ReleaseManifest release = Rig.release("1.5.0", 42);
    Command prepare =
        sent(
            rig.draft(Action.PREPARE)
                .release(
                    new String(release.write(), UTF_8),
                    rig.server.key.sign(Purpose.RELEASE, release.write())));

    assertThat(code(prepare)).isEqualTo("release-untrusted");
  }

  @Test
  void releaseOfSomebodyElseIsRefused() {
    ReleaseManifest release = Rig.release("1.5.0", 42);
    Command prepare =
        sent(
            rig.draft(Action.PREPARE)
                .release(
                    new String(release.write(), UTF_8),
                    SigningKey.generate().sign(Purpose.RELEASE, release.write())));

    assertThat(code(prepare)).isEqualTo("release-untrusted");
  }

  @Test
  void releaseOfAnotherVersionThanTheCommandSaysIsRefused() {
    Command prepare = sent(rig.draft(Action.PREPARE).of("shopd", "1.6.0"));

    assertThat(code(prepare)).isEqualTo("release-mismatch");
  }

  @Test
  void digestThatTheReleaseDoesNotNameIsRefused() {
    Command upgrade = sent(rig.draft(Action.UPGRADE).digest("0".repeat(64)));

    assertThat(code(upgrade)).isEqualTo("release-mismatch");
  }

  @Test
  void packageThatThisHostHasNotIsRefused() {
    assertThat(code(sent(rig.draft(Action.PREPARE).of("os", "1.5.0"))))
        .isEqualTo("unknown-package");
  }

  @Test
  void olderReleaseIsRefusedAfterANewerOneWasBroughtUnlessBothAllowIt() {
    assertThat(result(sent(rig.draft(Action.UPGRADE)))).isEqualTo(new Result.Done());
    ReleaseManifest older = Rig.release("1.4.9", 41);

    assertThat(code(sent(rig.draft(Action.PREPARE, older)))).isEqualTo("downgrade");
    assertThat(code(sent(rig.draft(Action.UPGRADE, older)))).isEqualTo("downgrade");
    assertThat(code(sent(rig.draft(Action.UPGRADE, older).allowDowngrade(true))))
        .isEqualTo("downgrade");
    CommandDraft permitted =
        rig.draft(Action.UPGRADE, older)
            .release(new String(older.write(), UTF_8), rig.permitted(older));
    assertThat(code(sent(permitted))).isEqualTo("downgrade");
    assertThat(result(sent(permitted.allowDowngrade(true)))).isEqualTo(new Result.Done());
    assertThat(rig.ops().sequence("shopd")).isEqualTo(41);
  }

  @Test
  void releaseForAnotherTenantIsRefusedThoughItsKeyIsTrusted() {
    ReleaseManifest foreign = Rig.releaseOf("other");

    assertThat(code(sent(rig.draft(Action.PREPARE, foreign)))).isEqualTo("release-mismatch");
    assertThat(result(sent(rig.draft(Action.PREPARE, Rig.releaseOf("acme")))))
        .isEqualTo(new Result.Done());
  }

  @Test
  void releaseThatWasTakenBackDoesNotCountAsHad() {
    assertThat(result(sent(rig.draft(Action.UPGRADE, Rig.release("1.4.5", 40)))))
        .isEqualTo(new Result.Done());
    assertThat(result(sent(rig.draft(Action.UPGRADE)))).isEqualTo(new Result.Done());

    assertThat(result(sent(rig.draft(Action.ROLLBACK).of("shopd", "1.4.5"))))
        .isEqualTo(new Result.Done());

    assertThat(rig.ops().sequence("shopd")).isEqualTo(40);
    assertThat(result(sent(rig.draft(Action.UPGRADE, Rig.release("1.4.9", 41)))))
        .isEqualTo(new Result.Done());
  }

  @Test
  void rollBackGoesNoFurtherThanTheLastUpgradeCameFrom() {
    assertThat(result(sent(rig.draft(Action.UPGRADE, Rig.release("1.4.5", 40)))))
        .isEqualTo(new Result.Done());
    assertThat(result(sent(rig.draft(Action.UPGRADE)))).isEqualTo(new Result.Done());

    assertThat(code(sent(rig.draft(Action.ROLLBACK).of("shopd", "1.4.0")))).isEqualTo("downgrade");
    assertThat(result(sent(rig.draft(Action.ROLLBACK).of("shopd", "1.4.5"))))
        .isEqualTo(new Result.Done());
    assertThat(code(sent(rig.draft(Action.ROLLBACK).of("shopd", "1.4.0")))).isEqualTo("downgrade");
    assertThat(result(sent(rig.draft(Action.ROLLBACK).of("shopd", "1.4.5"))))
        .isEqualTo(new Result.Done());
  }

  @Test
  void releaseThatCouldNotBeBroughtDoesNotCountAsHad() {
    rig.driver.upgrades = _ -> new Result.Failed("broken", ErrorClass.FINAL, "no");
    assertThat(code(sent(rig.draft(Action.UPGRADE)))).isEqualTo("broken");

    assertThat(rig.ops().sequence("shopd")).isZero();
  }

  @Test
  void whatMaySucceedLaterIsTriedUntilItDoes() {
    rig.driver.prepares =
        _ ->
            rig.driver.log.size() < 4
                ? new Result.Failed("slow", ErrorClass.RETRYABLE, "later")
                : new Result.Done();

    assertThat(result(sent(rig.draft(Action.PREPARE)))).isEqualTo(new Result.Done());
    assertThat(rig.driver.log).hasSize(4);
  }

  @Test
  void whatMaySucceedLaterIsNotTriedPastItsTime() {
    rig.driver.prepares = _ -> new Result.Failed("slow", ErrorClass.RETRYABLE, "later");
    CommandDraft short_ =
        rig.draft(Action.PREPARE).at(FakeServer.NOW, FakeServer.NOW.plusMillis(1500));

    assertThat(code(sent(short_))).isEqualTo("slow");
    assertThat(rig.driver.log).hasSizeGreaterThan(1);
  }

  @Test
  void nothingIsTriedOnceMoreWhileAnotherCommandWaits() {
    rig.driver.upgrades = _ -> new Result.Failed("slow", ErrorClass.RETRYABLE, "later");
    Command upgrade = sent(rig.draft(Action.UPGRADE));
    await().until(() -> rig.driver.log.size() > 1);

    Command rollback = sent(rig.draft(Action.ROLLBACK));

    assertThat(code(upgrade)).isEqualTo("slow");
    assertThat(result(rollback)).isEqualTo(new Result.Done());
  }

  @Test
  void commitEndsTheTrial() {
    rig.driver.trial = true;

    Event event = rig.server.outcome(sent(rig.draft(Action.COMMIT)));

    assertThat(event.trial()).isFalse();
  }

  private CommandDraft expecting(String version, String bootId) {
    return rig.draft(Action.UPGRADE).expecting(new Command.Expect(version, bootId));
  }

  private Command sent(CommandDraft draft) {
    return rig.send(rig.next(draft));
  }
}
