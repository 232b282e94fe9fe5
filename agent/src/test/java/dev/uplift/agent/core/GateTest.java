package dev.uplift.agent.core;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.link.GoodTime;
import dev.uplift.agent.ops.Ops;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.Result;
import dev.uplift.protocol.SigningKey;
import java.nio.file.Path;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GateTest {
  @TempDir Path folder;
  private final Ops ops = Ops.inMemory();
  private final GoodTime goodTime = GoodTime.inMemory();
  private final ServerClock clock = new ServerClock(new AtomicLong()::get, goodTime);
  private String inWork = "";
  private Rig rig;
  private Gate gate;

  @BeforeEach
  void open() throws Exception {
    rig = new Rig(folder);
    gate = new Gate(rig.setup(Rig.BOOT), rig.trust(), clock, ops, id -> id.equals(inWork));
    clock.learn(FakeServer.NOW, 0);
  }

  @Test
  void goodCommandIsDue() {
    Command command = rig.next(Action.UPGRADE);

    assertThat(judge(command))
        .isEqualTo(new Verdict.Due(command, new String(command.write(), UTF_8)));
  }

  @Test
  void whatIsTooLongIsRefusedBeforeAnythingElse() {
    assertThat(gate.judge(new Letter("1", "x", new byte[Command.MAX_BYTES + 1])))
        .isEqualTo(new Verdict.Refused("too long: 32769 bytes"));
  }

  @Test
  void whatIsNotSignedIsRefused() {
    assertThat(gate.judge(new Letter("1", "", rig.next(Action.UPGRADE).write())))
        .isEqualTo(new Verdict.Refused("not signed"));
  }

  @Test
  void whatSomebodyElseSignedIsRefused() {
    byte[] body = rig.next(Action.UPGRADE).write();

    assertThat(gate.judge(new Letter("1", SigningKey.generate().sign(Purpose.COMMAND, body), body)))
        .isEqualTo(new Verdict.Refused("not signed by a key that is trusted here"));
  }

  @Test
  void whatWasChangedAfterItWasSignedIsRefused() {
    Command command = rig.next(Action.INSPECT);
    String signature = rig.server.key.sign(Purpose.COMMAND, command.write());
    byte[] changed =
        new String(command.write(), UTF_8).replace("inspect", "prepare").getBytes(UTF_8);

    assertThat(gate.judge(new Letter("1", signature, changed))).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void whatIsSignedButNotJsonIsRefused() {
    assertThat(judge("no json at all")).isInstanceOf(Verdict.Refused.class);
  }

  @Test
  void refusalNeverSaysWhatTheMessageSays() {
    String command = new String(rig.next(Action.UPGRADE).write(), UTF_8);

    assertThat(judge(command.replace("\"1.5.0\"", "\"secret word\"")))
        .isEqualTo(
            new Verdict.Refused("no command: version: expected 1 to 64 of A-Z a-z 0-9 . + ~ _ -"));
  }

  @Test
  void whatIsForAnotherHostIsRefused() {
    assertThat(judge(rig.draft(Action.UPGRADE).command("c-1", "acme", "right", 2000)))
        .isEqualTo(new Verdict.Refused("for another host"));
    assertThat(judge(rig.draft(Action.UPGRADE).command("c-1", "other", "left", 2000)))
        .isEqualTo(new Verdict.Refused("for another host"));
  }

  @Test
  void knownIdIsAnsweredAgainHoweverLateAndOldItIs() throws Exception {
    Command command = expired();
    ops.answer(command.id(), "{}");
    ops.see(command.epoch() + 1);

    assertThat(judge(command)).isInstanceOf(Verdict.Answered.class);
  }

  @Test
  void commandInWorkIsLeftAlone() throws Exception {
    Command command = rig.next(Action.UPGRADE);
    inWork = command.id();
    ops.see(command.epoch() + 1);

    assertThat(judge(command)).isEqualTo(new Verdict.InWork());
  }

  @Test
  void commandForAnotherInstanceIsLeftToIt() {
    assertThat(judge(rig.next(rig.draft(Action.STOP).to("somebody-else"))))
        .isEqualTo(new Verdict.Elsewhere());
    assertThat(judge(rig.next(rig.draft(Action.STOP).to("instance-1"))))
        .isInstanceOf(Verdict.Due.class);
  }

  @Test
  void commandPastItsTimeIsExpiredAndNotStale() throws Exception {
    Command command = expired();
    ops.see(command.epoch() + 1);

    assertThat(code(judge(command))).isEqualTo("expired");
  }

  @Test
  void commandThatHasBegunIsNeverTooLate() throws Exception {
    Command command = expired();
    ops.begin(command.id(), "{}", command.epoch());

    assertThat(judge(command)).isInstanceOf(Verdict.Due.class);
  }

  @Test
  void commandWithALowerEpochIsStaleAndSaysTheHighest() throws Exception {
    Command command = rig.next(Action.UPGRADE);
    ops.see(command.epoch() + 7);

    Verdict verdict = judge(command);

    assertThat(code(verdict)).isEqualTo("stale");
    assertThat(((Verdict.Settled) verdict).epoch()).isEqualTo(command.epoch() + 7);
  }

  @Test
  void withoutAClockOnlyInspectAndCancelAreAccepted() {
    clock.doubt();

    assertThat(code(judge(rig.next(Action.UPGRADE)))).isEqualTo("clock-unknown");
    assertThat(code(judge(rig.reboot(Rig.BOOT)))).isEqualTo("clock-unknown");
    assertThat(judge(rig.next(Action.INSPECT))).isInstanceOf(Verdict.Due.class);
    assertThat(judge(rig.cancel("c-1"))).isInstanceOf(Verdict.Due.class);
  }

  @Test
  void rootThatWasKnownToBePastStaysSoWhateverTimeIsSaidNow() {
    goodTime.learn(rig.roots.expiresAt);
    clock.learn(Instant.EPOCH, 0);

    assertThat(code(judge(rig.next(Action.PREPARE)))).isEqualTo("root-expired");
    assertThat(code(judge(rig.next(Action.UPGRADE)))).isEqualTo("root-expired");
    assertThat(judge(rig.next(Action.ROLLBACK))).isInstanceOf(Verdict.Due.class);
    assertThat(judge(rig.next(Action.COMMIT))).isInstanceOf(Verdict.Due.class);
    assertThat(judge(rig.reboot(Rig.BOOT))).isInstanceOf(Verdict.Due.class);
  }

  @Test
  void whatHasBegunGoesOnThoughTheRootIsPast() throws Exception {
    goodTime.learn(rig.roots.expiresAt);
    Command command = rig.next(Action.UPGRADE);
    ops.begin(command.id(), "{}", command.epoch());

    assertThat(judge(command)).isInstanceOf(Verdict.Due.class);
  }

  @Test
  void timeIsTheServersCarriedOnByTheMonotonicClock() {
    var nanos = new AtomicLong();
    var carried = new ServerClock(nanos::get, GoodTime.inMemory());
    assertThat(carried.sure()).isEmpty();

    carried.learn(Instant.parse("2031-01-01T00:00:00Z"), 0);
    nanos.set(90_000_000_000L);

    assertThat(carried.sure()).contains(Instant.parse("2031-01-01T00:01:30Z"));
    carried.doubt();
    assertThat(carried.sure()).isEmpty();
    assertThat(carried.carriedOn()).contains(Instant.parse("2031-01-01T00:01:30Z"));
  }

  private Command expired() {
    return rig.next(
        rig.draft(Action.UPGRADE)
            .at(FakeServer.NOW.minusSeconds(7200), FakeServer.NOW.minusSeconds(1)));
  }

  private Verdict judge(Command command) {
    return judge(new String(command.write(), UTF_8));
  }

  private Verdict judge(String body) {
    byte[] bytes = body.getBytes(UTF_8);
    return gate.judge(new Letter("1", rig.server.key.sign(Purpose.COMMAND, bytes), bytes));
  }

  private static String code(Verdict verdict) {
    return ((Result.Failed) ((Verdict.Settled) verdict).result()).code();
  }
}
