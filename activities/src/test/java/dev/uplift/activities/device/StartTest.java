package dev.uplift.activities.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.activities.Scenario;
import dev.uplift.activities.World;
import dev.uplift.activities.temporal.Start;
import dev.uplift.activities.temporal.Steered;
import dev.uplift.activities.temporal.UpgradeStarter;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result.Cancelled;
import dev.uplift.protocol.Result.Failed;
import dev.uplift.store.NewUpgrade;
import dev.uplift.workflows.device.Operator;
import dev.uplift.workflows.device.Status;
import dev.uplift.workflows.device.UpgradePlan;
import java.time.Instant;
import org.junit.jupiter.api.Test;

final class StartTest extends Scenario {
  private static final Operator ANN = new Operator("ann", "");

  @Override
  protected World world() {
    return World.shared();
  }

  @Test
  void secondUpgradeOfADeviceIsRefusedAndNamesTheRunningOne() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    assertThat(starter().start(plan)).isEqualTo(new Start.Started());
    host.next(Action.PREPARE);

    assertThat(starter().start(withId(plan, "another"))).isEqualTo(new Start.Busy(upgrade));
  }

  @Test
  void sameStartTwiceIsOneUpgrade() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    starter().start(plan);
    Command prepare = host.next(Action.PREPARE);

    assertThat(starter().start(plan)).isEqualTo(new Start.Same());

    host.answer(prepare, "1.4.0", new Failed("no", ErrorClass.FINAL, "no"));
    assertThat(ending().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(host.all().stream().distinct()).hasSize(1);
  }

  @Test
  void upgradeThatHasEndedIsNotRunAgain() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    starter().start(plan);
    host.answer(host.next(Action.PREPARE), "1.4.0", new Failed("no", ErrorClass.FINAL, "no"));
    ending();

    assertThat(starter().start(plan)).isEqualTo(new Start.Started());

    assertThat(ending().outcome()).isEqualTo(Outcome.PREPARE_FAILED);
    assertThat(host.all().stream().distinct()).as("nothing is sent for it").hasSize(1);
  }

  @Test
  void deadlineInThePastEndsItBeforeAnythingIsSent() throws Exception {
    UpgradePlan plan = plan(withoutResends());

    starter().start(until(plan, Instant.now().minusSeconds(1)));

    assertThat(ending().outcome()).isEqualTo(Outcome.EXPIRED);
    assertThat(host.all()).isEmpty();
  }

  @Test
  void idThatBelongsToAnotherDeviceIsDeclined() throws Exception {
    UpgradePlan plan = plan(withoutResends());
    world()
        .tables()
        .upgrades()
        .begin(
            new NewUpgrade(
                upgrade,
                new DeviceId(device.tenant(), "elsewhere"),
                plan.release(),
                "bob",
                Texts.write(plan),
                "run-1"));

    starter().start(plan);

    assertThat(ending().outcome()).isEqualTo(Outcome.DECLINED);
    assertThat(ending().reason().orElseThrow().code()).isEqualTo("id-taken");
    assertThat(host.all()).isEmpty();
  }

  @Test
  void deviceThatRunsTheReleaseNeedsNothing() throws Exception {
    host.beat("1.5.0");
    await()
        .until(() ->
            world().wiring().presence().beats(device.tenant(), host.id()).newest().isPresent());

    start(withoutResends());

    assertThat(ending().outcome()).isEqualTo(Outcome.NO_ACTION);
    assertThat(host.all()).isEmpty();
  }

  @Test
  void statusSaysWhatItWaitsForAndWhoIsAsked() throws Exception {
    start(withoutResends());
    host.next(Action.PREPARE);

    Status status = world().wiring().steering().status(device, upgrade).orElseThrow();

    assertThat(status.phase()).isEqualTo(Phase.PREPARE);
    assertThat(status.waits())
        .singleElement()
        .satisfies(wait -> {
          assertThat(wait.from()).isEqualTo(host.id().value());
          assertThat(wait.until()).isPresent();
        });
  }

  @Test
  void wordForAnUpgradeThatIsOverReachesNoOther() throws Exception {
    start(withoutResends());
    Command prepare = host.next(Action.PREPARE);

    assertThat(world().wiring().steering().abort(device, "another", ANN))
        .isEqualTo(new Steered.Over());
    assertThat(world().wiring().steering().status(device, "another")).isEmpty();
    assertThat(world().wiring().steering().resume(device, upgrade, ANN))
        .as("refused, and says why")
        .isInstanceOf(Steered.Refused.class);

    world().wiring().steering().abort(device, upgrade, ANN);
    host.answer(prepare, "1.4.0", new Cancelled());
    assertThat(ending().outcome()).isEqualTo(Outcome.ABORTED);
    assertThat(world().wiring().steering().abort(device, upgrade, ANN))
        .isEqualTo(new Steered.Over());
  }

  private UpgradeStarter starter() {
    return world().wiring().starter();
  }

  private static UpgradePlan withId(UpgradePlan plan, String id) {
    return with(plan, id, plan.notAfter());
  }

  private static UpgradePlan until(UpgradePlan plan, Instant notAfter) {
    return with(plan, plan.upgrade(), notAfter);
  }

  private static UpgradePlan with(UpgradePlan plan, String id, Instant notAfter) {
    return new UpgradePlan(
        id,
        plan.device(),
        plan.hosts(),
        plan.release(),
        plan.reach(),
        plan.allowDowngrade(),
        plan.startedBy(),
        plan.byPerson(),
        plan.soak(),
        notAfter,
        plan.pace());
  }
}
