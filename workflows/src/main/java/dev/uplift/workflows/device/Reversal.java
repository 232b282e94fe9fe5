package dev.uplift.workflows.device;

import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
import static dev.uplift.fleet.Progress.TOUCHED;
import static dev.uplift.fleet.Step.ROLLBACK;

import dev.uplift.fleet.Check;
import dev.uplift.fleet.Check.AlreadyThere;
import dev.uplift.fleet.Check.GoOn;
import dev.uplift.fleet.Check.Refused;
import dev.uplift.fleet.Findings;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Outcome;
import dev.uplift.fleet.Phase;
import dev.uplift.fleet.Reason;
import io.temporal.failure.TemporalFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Promise;
import java.util.function.Consumer;

/// Takes an upgrade back that is done. Check; ask every host what it runs and check again; then
/// host by host, the last one first, rollback, reboot or hand over if required, await a heartbeat
/// with the version from before. It ends at the first host that will not go back: the next one may
/// be all that its site still has.
final class Reversal implements Work {
  private final UpgradePlan plan;
  private final Revert done;
  private final Hosts hosts;
  private final Course course;
  private final Orders orders;
  private final Consumer<Phase> enter;
  private final Forward forward;

  Reversal(
      UpgradePlan plan,
      Revert done,
      Hosts hosts,
      Course course,
      Orders orders,
      Consumer<Phase> enter) {
    this.plan = plan;
    this.done = done;
    this.hosts = hosts;
    this.course = course;
    this.orders = orders;
    this.enter = enter;
    this.forward = new Forward(course, orders);
  }

  @Override
  public Ending run(Findings found) {
    hosts.learn(found);
    hosts.learn(done);
    if (isToGoBack(found)) {
      backOrAsFarAsItGoes(found);
    }
    Outcome outcome = Outcome.ofRevert(hosts.progress(), course.reason().orElse(null));
    return new Ending(outcome, course.reason(), hosts.report());
  }

  private boolean isToGoBack(Findings found) {
    return switch (Check.ofRevert(plan.release(), done.versions(), found)) {
      case AlreadyThere() -> {
        course.arrive();
        yield false;
      }
      case Refused(Reason why) -> {
        course.stop(why);
        yield false;
      }
      case GoOn() -> true;
    };
  }

  private void backOrAsFarAsItGoes(Findings found) {
    enter.accept(Phase.REVERT);
    if (!forward.go(() -> goBack(found))) {
      forward.breakOff();
      plan.hosts().forEach(this::bringToItsEnd);
    }
  }

  private void goBack(Findings known) {
    hearFromAllHosts();
    if (isToGoBack(known.running(hosts.versions()))) {
      takeBackHostByHost();
    }
  }

  /// Nothing is touched before all of them are there.
  private void hearFromAllHosts() {
    Promise.allOf(plan.hosts().stream().map(host -> Async.procedure(orders::hear, host)).toList())
        .get();
  }

  private void takeBackHostByHost() {
    for (HostId host : plan.hosts().reversed()) {
      orders.unlessSkipped(host, () -> takeBack(host));
    }
    course.arrive();
  }

  private void takeBack(HostId host) {
    orders.bring(ROLLBACK, host);
    hosts.reached(host, ROLLED_BACK);
  }

  /// Half way is no place to stay, also for who was stopped there.
  private void bringToItsEnd(HostId host) {
    if (hosts.progress(host) != TOUCHED || hosts.isSkipped(host)) {
      return;
    }
    if (hosts.hasFailed(host)) {
      hosts.reached(host, STRANDED);
      return;
    }
    enter.accept(Phase.ROLLBACK);
    course.turnBack(Waits.now().plus(plan.pace().within(ROLLBACK)));
    hosts.turnBack(host);
    try {
      takeBack(host);
    } catch (Stopped | Skipped | TemporalFailure _) {
      // Why not stands in the host's report.
      hosts.reached(host, STRANDED);
    }
  }

  @Override
  public void halt(Reason why) {
    forward.halt(why);
  }
}
