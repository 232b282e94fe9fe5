package dev.uplift.activities.host;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Step;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.Result.Done;
import dev.uplift.protocol.Result.Failed;
import dev.uplift.protocol.Result.HandoverRequired;
import dev.uplift.store.CommandRow;
import dev.uplift.workflows.device.Operator;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// One agent of a host makes way for the next one.
final class HandoverTest extends Scenario {
  private final String next = "next-" + UUID.randomUUID();
  private String old = "";

  @Override
  protected World world() {
    return World.shared();
  }

  @BeforeEach
  void oldAgentWorks() throws Exception {
    old = host.instance();
    host.beat("1.4.0");
  }

  @Test
  void oldAgentIsNamedInTheStopOnceTheNewOneStandsBy() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.next(Action.STOP);
    assertThat(stop.instance()).isEqualTo(old);
    assertThat(stop.reason()).isEqualTo("os 1.5.0 takes over");
    assertThat(stop.deadline()).isEqualTo(Duration.ofSeconds(5));
    host.answer(stop, "1.4.0", new Done());
    takesOver();
    host.answer(host.next(Action.COMMIT), "1.5.0", new Done());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(actions())
        .containsExactly(Action.PREPARE, Action.UPGRADE, Action.STOP, Action.COMMIT);
    assertThat(eventsInHistory()).isLessThanOrEqualTo(29 + 2 * 6 + 6);
  }

  @Test
  void agentThatStoodByBeforeItWasAwaitedIsEnough() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beatIn(State.CUTOVER_READY, "1.4.0");
    standsBy();
    host.answer(upgrade, "1.4.0", new HandoverRequired());

    assertThat(host.next(Action.STOP).instance()).isEqualTo(old);
  }

  @Test
  void agentThatIsAwaitedStandsByInTheWantedVersionAndIsThere() throws Exception {
    start(withoutResends());
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    // As after an attempt a moment ago.
    host.beatOf("gone", State.RUNNING, "1.5.0", false);
    host.beatIn(State.CUTOVER_READY, "1.4.0");
    host.answer(upgrade, "1.4.0", new HandoverRequired());
    awaits(Step.AWAIT_STANDBY);

    host.beatOf(next, State.STANDBY, "1.3.0", true);
    host.beatOf(next, State.STANDBY, "1.3.0", true);
    host.beatIn(State.CUTOVER_READY, "1.4.0");
    stillAwaits(Step.AWAIT_STANDBY);
    standsBy();

    host.next(Action.STOP);
  }

  @Test
  void stopThatNobodyAnswersEndsWithTheBeatOfTheOther() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.next(Action.STOP);
    awaits(Step.STOP);
    takesOver();

    host.answer(host.next(Action.COMMIT), "1.5.0", new Done());
    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(row(stop).outcome()).isEmpty();
  }

  @Test
  void lateAndSecondAnswerToAStopChangeNothing() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.next(Action.STOP);
    awaits(Step.STOP);
    takesOver();
    Command commit = host.next(Action.COMMIT);

    // As the agent does that finds it begun.
    host.answer(stop, "1.5.0", new Done());
    host.answer(stop, "1.5.0", new Done());
    await().atMost(Duration.ofSeconds(75)).until(() -> row(stop).outcome().isPresent());
    host.answer(commit, "1.5.0", new Done());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
  }

  @Test
  void whereTheOldAgentHasDiedNobodyIsStopped() throws Exception {
    start(withoutResends());
    handsOver();
    awaits(Step.AWAIT_STANDBY);
    takesOver();
    host.answer(host.next(Action.COMMIT), "1.5.0", new Done());

    assertThat(ending().outcome()).isEqualTo(Outcome.UPGRADED);
    assertThat(actions()).doesNotContain(Action.STOP);
  }

  @Test
  void agentThatTakesTheNextOneBackSaysWhy() throws Exception {
    start(withoutResends());
    handsOver();
    awaits(Step.AWAIT_STANDBY);

    host.says("1.4.0", "1.5.0: no heartbeat of it within 60 s");
    host.beat("1.4.0");
    stillAwaits(Step.AWAIT_STANDBY);
    host.beat("1.4.0");
    goesBack();

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending().reason().orElseThrow().code()).isEqualTo("reverted");
    assertThat(ending().reason().orElseThrow().text())
        .isEqualTo(host.id() + " runs 1.4.0 again: 1.5.0: no heartbeat of it within 60 s");
  }

  @Test
  void agentThatTakesTheNextOneBackNeedsNoStopAnswered() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    host.next(Action.STOP);
    awaits(Step.STOP);

    host.beat("1.4.0");
    host.beat("1.4.0");
    goesBack();

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending().reason().orElseThrow().code()).isEqualTo("version-mismatch");
  }

  @Test
  void refusedStopIsTakenBack() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    host.answer(host.next(Action.STOP), "1.4.0", failed("no-successor", ErrorClass.FINAL));
    host.beat("1.4.0");
    goesBack();

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
    assertThat(ending().reason().orElseThrow().code()).isEqualTo("no-successor");
  }

  @Test
  void stopThatCameTooEarlyIsOrderedAnew() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command early = host.next(Action.STOP);
    host.answer(early, "1.4.0", failed("successor-not-ready", ErrorClass.RETRYABLE));

    Command stop = host.nextAfter(early);

    assertThat(stop.action()).isEqualTo(Action.STOP);
    assertThat(stop.instance()).isEqualTo(old);
    host.answer(stop, "1.4.0", new Done());
    takesOver();
    host.next(Action.COMMIT);
  }

  @Test
  void theWayBackIsAHandoverToo() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    host.answer(host.next(Action.STOP), "1.4.0", new Done());
    takesOver();
    host.answer(host.next(Action.COMMIT), "1.5.0", failed("no-link", ErrorClass.FINAL));
    host.answer(host.next(Action.INSPECT), "1.5.0", new Done());
    Command rollback = host.next(Action.ROLLBACK);
    host.beatIn(State.CUTOVER_READY, "1.5.0");
    host.answer(rollback, "1.5.0", new HandoverRequired());
    String again = "again-" + UUID.randomUUID();
    host.beatOf(again, State.STANDBY, "1.4.0", false);
    Command stop = host.next(Action.STOP);
    assertThat(stop.instance()).isEqualTo(next);
    host.answer(stop, "1.5.0", new Done());
    host.beatIn(State.STOPPING, "1.5.0");
    host.beatOf(again, State.RUNNING, "1.4.0", false);

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  @Test
  void abortTakesTheStopOutOfTheSlot() throws Exception {
    start(withoutResends());
    handsOver();
    standsBy();
    Command stop = host.next(Action.STOP);

    world().wiring().steering().abort(device, upgrade, new Operator("ann", "wrong site"));
    assertThat(host.next(Action.CANCEL).cancels()).isEqualTo(stop.id());
    host.answer(stop, "1.4.0", new dev.uplift.protocol.Result.Cancelled());
    goesBack();

    assertThat(ending().outcome()).isEqualTo(Outcome.ROLLED_BACK);
  }

  private void handsOver() throws Exception {
    host.answer(host.next(Action.PREPARE), "1.4.0", new Done());
    Command upgrade = host.next(Action.UPGRADE);
    host.beatIn(State.CUTOVER_READY, "1.4.0");
    host.answer(upgrade, "1.4.0", new HandoverRequired());
  }

  private void standsBy() throws Exception {
    host.beatOf(next, State.STANDBY, "1.5.0", true);
  }

  private void takesOver() throws Exception {
    host.becomes(next);
    host.beatOf(next, State.RUNNING, "1.5.0", true);
  }

  /// From between two agents, and the old one works.
  private void goesBack() throws Exception {
    host.answer(host.next(Action.INSPECT), "1.4.0", new Done());
    Command rollback = host.next(Action.ROLLBACK);
    host.beat("1.4.0");
    host.answer(rollback, "1.4.0", new Done());
  }

  private List<Action> actions() {
    return host.all().stream().map(Command::action).distinct().toList();
  }

  private void awaits(Step step) {
    await()
        .atMost(Duration.ofSeconds(75))
        .until(() ->
            waitsFor().equals(Optional.of(step))
                && world()
                    .tables()
                    .expectations()
                    .find(device.tenant(), host.id())
                    .filter(found -> found.step() == step)
                    .isPresent());
  }

  /// Longer than a beat takes to be heard and acted upon.
  private void stillAwaits(Step wanted) {
    await()
        .during(Duration.ofMillis(500))
        .atMost(Duration.ofSeconds(10))
        .until(() -> waitsFor().filter(step -> step == wanted).isPresent());
  }

  private CommandRow row(Command command) {
    return world()
        .tables()
        .commands()
        .find(command.tenant(), host.id(), command.id())
        .orElseThrow();
  }

  private static Failed failed(String code, ErrorClass errorClass) {
    return new Failed(code, errorClass, "for the test");
  }
}
