package dev.uplift.workflows.device;

import static dev.uplift.fleet.Progress.ROLLED_BACK;
import static dev.uplift.fleet.Progress.STRANDED;
import static dev.uplift.fleet.Progress.UPGRADED;
import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.COMMIT;
import static dev.uplift.fleet.Step.PREPARE;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;

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
import java.time.Instant;
import java.util.function.Consumer;

/// Check; prepare everywhere; wait until the device may be touched; then host by host upgrade,
/// reboot or hand over if required, await heartbeat, soak, commit; on failure or abort take back
/// what was touched, last host first.
final class Procedure implements Work {
  private final UpgradePlan plan;
  private final Hosts hosts;
  private final Course course;
  private final Orders orders;
  private final Clearance clearance;
  private final Consumer<Phase> enter;
  private final Forward forward;

  Procedure(
      UpgradePlan plan,
      Hosts hosts,
      Course course,
      Orders orders,
      Clearance clearance,
      Consumer<Phase> enter) {
    this.plan = plan;
    this.hosts = hosts;
    this.course = course;
    this.orders = orders;
    this.clearance = clearance;
    this.enter = enter;
    this.forward = new Forward(course, orders);
  }

  /// Returns when the device is upgraded, or left alone, or as far back as it would go.
  @Override
  public Ending run(Findings found) {
    hosts.learn(found);
    switch (Check.of(plan.wish(), found)) {
      case AlreadyThere() -> course.arrive();
      case Refused(Reason why) -> course.stop(why);
      case GoOn() -> thereOrBack();
    }
    Outcome outcome = Outcome.of(hosts.progress(), course.reason().orElse(null));
    return new Ending(outcome, course.reason(), hosts.report());
  }

  private void thereOrBack() {
    if (!forward.go(this::goForward)) {
      goBack();
    }
  }

  private void goForward() {
    prepareAllHosts();
    awaitClearance();
    upgradeHostByHost();
    course.arrive();
  }

  private void prepareAllHosts() {
    enter.accept(Phase.PREPARE);
    Promise.allOf(plan.hosts().stream().map(this::prepare).toList()).get();
  }

  private Promise<Void> prepare(HostId host) {
    return Async.procedure(() -> orders.unlessSkipped(host, () -> orders.take(PREPARE, host)));
  }

  private void awaitClearance() {
    plan.hosts().stream()
        .filter(host -> !hosts.isSkipped(host))
        .findFirst()
        .ifPresent(first -> clearance.await(first, () -> enter.accept(Phase.WAIT)));
    clearance.watch(this::halt);
  }

  private void upgradeHostByHost() {
    enter.accept(Phase.UPGRADE);
    for (HostId host : plan.hosts()) {
      orders.unlessSkipped(host, () -> upgrade(host));
    }
  }

  private void upgrade(HostId host) {
    clearance.next(host);
    orders.bring(UPGRADE, host);
    soak(host);
    if (hosts.isOnTrial(host)) {
      orders.take(COMMIT, host);
    }
    hosts.reached(host, UPGRADED);
  }

  /// Well is who is still there afterwards, in the same boot.
  private void soak(HostId host) {
    if (plan.soak().isPositive()) {
      String boot = hosts.boot(host);
      orders.rest(host, plan.soak());
      orders.take(AWAIT_HEARTBEAT, host);
      if (!hosts.boot(host).equals(boot)) {
        throw orders.fail(host, Reason.restless(host, plan.soak()));
      }
    }
  }

  private void goBack() {
    forward.breakOff();
    enter.accept(Phase.ROLLBACK);
    Instant end = Waits.now().plus(plan.pace().within(ROLLBACK));
    for (HostId host : plan.hosts().reversed()) {
      if (hosts.isTouched(host)) {
        takeBack(host, end);
      }
    }
    dropStaged();
  }

  private void takeBack(HostId host, Instant end) {
    // A host that would not go back has used up the time of all. Nobody else is stranded for it.
    Instant atLeast = Waits.now().plus(plan.pace().leastToGoBack());
    course.turnBack(end.isAfter(atLeast) ? end : atLeast);
    hosts.turnBack(host);
    // Ask first: how far an interrupted step came, only the host knows.
    orders.inspect(host);
    // Between two agents is no place to stay: no other work is begun there.
    if (plan.reach().covers(hosts.progress(host)) || hosts.isBetweenAgents(host)) {
      try {
        orders.bring(ROLLBACK, host);
        hosts.reached(host, ROLLED_BACK);
      } catch (Stopped | Skipped | TemporalFailure _) {
        // The others still go back. Why not stands in the host's report.
        hosts.reached(host, STRANDED);
      }
    }
  }

  /// What a silent host keeps staged harms nobody; its next prepare replaces it.
  private void dropStaged() {
    course.turnBack(Waits.now().plus(plan.pace().abortGrace()));
    plan.hosts().stream()
        .filter(hosts::isPreparedOnly)
        .map(host -> Async.procedure(orders::attempt, ROLLBACK, host))
        .toList()
        .forEach(Promise::get);
  }

  @Override
  public void halt(Reason why) {
    forward.halt(why);
  }
}
