package dev.uplift.agent.command;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.command.CommandValidator.Validation;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.report.ServerClock;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CommandValidatorTest {
  @TempDir Path folder;
  private final CommandJournal journal = CommandJournal.inMemory();
  private final AtomicLong nanos = new AtomicLong();
  private final TrustedTimeFloor timeFloor = TrustedTimeFloor.inMemory(nanos::get);
  private final ServerClock clock = new ServerClock(new AtomicLong()::get, timeFloor);
  private String inProgressId = "";
  private HostAgentFixture fixture;
  private CommandValidator validator;

  @BeforeEach
  void open() throws Exception {
    fixture = new HostAgentFixture(folder);
    validator =
        new CommandValidator(
            fixture.setup(HostAgentFixture.BOOT), fixture.trust(), clock, journal, id -> id.equals(inProgressId));
    clock.set(FakeServer.NOW, 0);
  }

  @Test
  void goodCommandIsDue() {
    Command command = fixture.next(CommandAction.UPGRADE);

    assertThat(validate(command))
        .isEqualTo(
            new Validation.Accepted(
                command, new String(command.write(), UTF_8), fixture.server.key.keyId(), command.epoch()));
  }

  @Test
  void whatIsTooLongIsRefusedBeforeAnythingElse() {
    assertThat(validator.validate(new ReceivedCommand("1", "x", new byte[Command.MAX_BYTES + 1])))
        .isEqualTo(new Validation.Rejected("too long: 32769 bytes"));
  }

  @Test
  void whatIsNotSignedIsRefused() {
    assertThat(validator.validate(new ReceivedCommand("1", "", fixture.next(CommandAction.UPGRADE).write())))
        .isEqualTo(new Validation.Rejected("not signed"));
  }

  @Test
  void otherSignaturesAreRejected() {
    byte[] body = fixture.next(CommandAction.UPGRADE).write();

    assertThat(
            validator.validate(
                new ReceivedCommand("1", SigningKey.generate().sign(SignatureDomain.COMMAND, body), body)))
        .isEqualTo(new Validation.Rejected("not signed by a key that is trusted here"));
  }

  @Test
  void whatWasChangedAfterItWasSignedIsRefused() {
    Command command = fixture.next(CommandAction.INSPECT);
    String signature = fixture.server.key.sign(SignatureDomain.COMMAND, command.write());
    byte[] changed = new String(command.write(), UTF_8).replace("inspect", "prepare").getBytes(UTF_8);

    assertThat(validator.validate(new ReceivedCommand("1", signature, changed)))
        .isInstanceOf(Validation.Rejected.class);
  }

  @Test
  void whatIsSignedButNotJsonIsRefused() {
    assertThat(validate("no json at all")).isInstanceOf(Validation.Rejected.class);
  }

  @Test
  void refusalNeverSaysWhatTheMessageSays() {
    String command = new String(fixture.next(CommandAction.UPGRADE).write(), UTF_8);

    assertThat(validate(command.replace("\"1.5.0\"", "\"secret word\"")))
        .isEqualTo(
            new Validation.Rejected("no command: version: expected 1 to 64 of A-Z a-z 0-9 . + ~ _ -, the first no -"));
  }

  @Test
  void whatIsForAnotherHostIsRefused() {
    assertThat(validate(fixture.draft(CommandAction.UPGRADE).build("c-1", "acme", "right", 2000)))
        .isEqualTo(new Validation.Rejected("for another host"));
    assertThat(validate(fixture.draft(CommandAction.UPGRADE).build("c-1", "other", "left", 2000)))
        .isEqualTo(new Validation.Rejected("for another host"));
  }

  @Test
  void knownIdIsAnsweredAgainHoweverLateAndOldItIs() throws Exception {
    Command command = expired();
    journal.recordOutcome(command.id(), "{}");
    journal.recordEpoch(fixture.server.key.keyId(), command.epoch() + 1);

    assertThat(validate(command)).isInstanceOf(Validation.AlreadyAnswered.class);
  }

  @Test
  void commandInWorkIsLeftAlone() throws Exception {
    Command command = fixture.next(CommandAction.UPGRADE);
    inProgressId = command.id();
    journal.recordEpoch(fixture.server.key.keyId(), command.epoch() + 1);

    assertThat(validate(command)).isEqualTo(new Validation.InProgress());
  }

  @Test
  void commandForAnotherInstanceIsLeftToIt() {
    assertThat(validate(fixture.next(fixture.draft(CommandAction.STOP).instance("another"))))
        .isEqualTo(new Validation.OtherInstance());
    assertThat(validate(fixture.next(fixture.draft(CommandAction.STOP).instance("instance-1"))))
        .isInstanceOf(Validation.Accepted.class);
  }

  @Test
  void commandPastItsTimeIsExpiredAndNotStale() throws Exception {
    Command command = expired();
    journal.recordEpoch(fixture.server.key.keyId(), command.epoch() + 1);

    assertThat(code(validate(command))).isEqualTo("expired");
  }

  @Test
  void commandThatHasBegunIsNeverTooLate() throws Exception {
    Command command = expired();
    begin(command);

    assertThat(validate(command)).isInstanceOf(Validation.Accepted.class);
  }

  /// Else a thief of the command key has a host go back to any version under the id of something harmless.
  @Test
  void otherBytesUnderTheIdOfACommandThatHasBegunAreRefused() throws Exception {
    Command begun = fixture.next(CommandAction.PREPARE);
    begin(begun);
    Command other =
        fixture
            .draft(CommandAction.ROLLBACK)
            .target("shopd", "0.1.0")
            .times(FakeServer.NOW.minusSeconds(7200), FakeServer.NOW.minusSeconds(1))
            .build(begun.id(), "acme", "left", begun.epoch());

    assertThat(validate(other)).isEqualTo(new Validation.Rejected("not the command that has begun under its id"));
    assertThat(validate(begun)).isInstanceOf(Validation.Accepted.class);
  }

  /// A server whose tables were restored from an older copy has the command no more, and creates it again.
  @Test
  void workThatHasBegunIsGoneOnWithByItsOwnBytesIfItIsAskedForAgain() throws Exception {
    Command begun = fixture.next(CommandAction.UPGRADE);
    begin(begun);
    Command again = fixture.draft(CommandAction.UPGRADE).build(begun.id(), "acme", "left", begun.epoch() + 10);

    assertThat(validate(again))
        .isEqualTo(
            new Validation.Accepted(
                begun, new String(begun.write(), UTF_8), fixture.server.key.keyId(), begun.epoch() + 10));

    inProgressId = begun.id();
    assertThat(validate(again)).isEqualTo(new Validation.InProgress());
  }

  @Test
  void workThatHasBegunIsNotGoneOnWithOnAnOlderEpoch() throws Exception {
    Command begun = fixture.next(CommandAction.UPGRADE);
    begin(begun);
    journal.recordEpoch(fixture.server.key.keyId(), begun.epoch());
    Command older = fixture.draft(CommandAction.UPGRADE).build(begun.id(), "acme", "left", begun.epoch() - 1);

    assertThat(code(validate(older))).isEqualTo("stale-epoch");
  }

  @Test
  void otherVersionOrPackageUnderTheIdOfACommandThatHasBegunIsRefused() throws Exception {
    Command begun = fixture.next(CommandAction.UPGRADE);
    begin(begun);
    var refused = new Validation.Rejected("not the command that has begun under its id");

    assertThat(
            validate(
                fixture
                    .draft(CommandAction.UPGRADE)
                    .target(begun.packageName(), "1.6.0")
                    .build(begun.id(), "acme", "left", begun.epoch() + 10)))
        .isEqualTo(refused);
    assertThat(
            validate(
                fixture
                    .draft(CommandAction.UPGRADE)
                    .target("other", begun.version())
                    .build(begun.id(), "acme", "left", begun.epoch() + 10)))
        .isEqualTo(refused);
  }

  @Test
  void epochMoreThanADayAboveTheServersTimeIsRefusedAndDoesNotCount() throws Exception {
    Command evil = fixture.draft(CommandAction.INSPECT).build("c-1", "acme", "left", Long.MAX_VALUE);
    Command cancel = fixture.draft(CommandAction.CANCEL).cancels("c-0").build("c-2", "acme", "left", Long.MAX_VALUE);
    long bound = FakeServer.NOW.plusSeconds(86_400).toEpochMilli();

    assertThat(code(validate(evil))).isEqualTo("epoch-ahead");
    assertThat(((Validation.AnsweredNow) validate(evil)).epoch()).isZero();
    assertThat(((Validation.Accepted) validate(cancel)).countsEpoch()).isFalse();
    assertThat(code(validate(fixture.draft(CommandAction.UPGRADE).build("c-3", "acme", "left", bound + 1))))
        .isEqualTo("epoch-ahead");
    assertThat(validate(fixture.draft(CommandAction.UPGRADE).build("c-4", "acme", "left", bound)))
        .isInstanceOf(Validation.Accepted.class);
  }

  @Test
  void epochDoesNotCountWhileTheServersTimeIsUnknown() throws Exception {
    var unset = new ServerClock(new AtomicLong()::get, timeFloor);
    var early = new CommandValidator(fixture.setup(HostAgentFixture.BOOT), fixture.trust(), unset, journal, _ -> false);
    byte[] body = fixture.draft(CommandAction.INSPECT).build("c-1", "acme", "left", Long.MAX_VALUE).write();

    Validation validation =
        early.validate(new ReceivedCommand("1", fixture.server.key.sign(SignatureDomain.COMMAND, body), body));

    assertThat(((Validation.Accepted) validation).countsEpoch()).isFalse();
  }

  @Test
  void whatAKeyHasSaidDoesNotCountOnceTheKeyIsNotTrusted() throws Exception {
    Command command = fixture.next(CommandAction.UPGRADE);
    journal.recordEpoch("0123456789abcdef", command.epoch() + 7);

    assertThat(validate(command)).isInstanceOf(Validation.Accepted.class);
  }

  @Test
  void commandWithALowerEpochIsStaleAndSaysTheHighest() throws Exception {
    Command command = fixture.next(CommandAction.UPGRADE);
    journal.recordEpoch(fixture.server.key.keyId(), command.epoch() + 7);

    Validation commandValidation = validate(command);

    assertThat(code(commandValidation)).isEqualTo("stale-epoch");
    assertThat(((Validation.AnsweredNow) commandValidation).epoch()).isEqualTo(command.epoch() + 7);
  }

  @Test
  void withoutAClockOnlyInspectAndCancelAreAccepted() {
    clock.markUncertain();

    assertThat(code(validate(fixture.next(CommandAction.UPGRADE)))).isEqualTo("clock-unknown");
    assertThat(code(validate(fixture.reboot(HostAgentFixture.BOOT)))).isEqualTo("clock-unknown");
    assertThat(validate(fixture.next(CommandAction.INSPECT))).isInstanceOf(Validation.Accepted.class);
    assertThat(validate(fixture.cancel("c-1"))).isInstanceOf(Validation.Accepted.class);
  }

  @Test
  void rootThatWasKnownToBePastStaysSoWhateverTimeIsSaidNow() {
    expireRoot();
    clock.set(Instant.EPOCH, 0);

    assertThat(code(validate(fixture.next(CommandAction.PREPARE)))).isEqualTo("root-expired");
    assertThat(code(validate(fixture.next(CommandAction.UPGRADE)))).isEqualTo("root-expired");
    assertThat(validate(fixture.next(CommandAction.ROLLBACK))).isInstanceOf(Validation.Accepted.class);
    assertThat(validate(fixture.next(CommandAction.COMMIT))).isInstanceOf(Validation.Accepted.class);
    assertThat(validate(fixture.reboot(HostAgentFixture.BOOT))).isInstanceOf(Validation.Accepted.class);
  }

  @Test
  void begunCommandContinuesAfterTheExpiryOfTheRoot() throws Exception {
    expireRoot();
    Command command = fixture.next(CommandAction.UPGRADE);
    begin(command);

    assertThat(validate(command)).isInstanceOf(Validation.Accepted.class);
  }

  @Test
  void timeIsTheServersCarriedOnByTheMonotonicClock() {
    var own = new AtomicLong();
    var carried = new ServerClock(own::get, TrustedTimeFloor.inMemory());
    assertThat(carried.confirmed()).isEmpty();

    carried.set(Instant.parse("2031-01-01T00:00:00Z"), 0);
    own.set(90_000_000_000L);

    assertThat(carried.confirmed()).contains(Instant.parse("2031-01-01T00:01:30Z"));
    carried.markUncertain();
    assertThat(carried.confirmed()).isEmpty();
    assertThat(carried.estimated()).contains(Instant.parse("2031-01-01T00:01:30Z"));
  }

  /// It rises in steps, a day apart.
  private void expireRoot() {
    while (timeFloor.floor().isBefore(fixture.rootSigner.expiresAt)) {
      nanos.addAndGet(Duration.ofDays(1).toNanos());
      timeFloor.raise(fixture.rootSigner.expiresAt);
    }
  }

  private void begin(Command command) throws IOException {
    journal.begin(command.id(), new String(command.write(), UTF_8));
  }

  private Command expired() {
    return fixture.next(
        fixture.draft(CommandAction.UPGRADE).times(FakeServer.NOW.minusSeconds(7200), FakeServer.NOW.minusSeconds(1)));
  }

  private Validation validate(Command command) {
    return validate(new String(command.write(), UTF_8));
  }

  private Validation validate(String body) {
    byte[] bytes = body.getBytes(UTF_8);
    return validator.validate(new ReceivedCommand("1", fixture.server.key.sign(SignatureDomain.COMMAND, bytes), bytes));
  }

  private static String code(Validation commandValidation) {
    return ((CommandResult.Failed) ((Validation.AnsweredNow) commandValidation).result()).code();
  }
}
