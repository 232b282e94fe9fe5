package dev.uplift.workflows.device;

import static dev.uplift.fleet.Progress.TOUCHED;
import static dev.uplift.fleet.Progress.UNTOUCHED;
import static dev.uplift.fleet.Step.AWAIT_HEARTBEAT;
import static dev.uplift.fleet.Step.CANCEL;
import static dev.uplift.fleet.Step.ROLLBACK;
import static dev.uplift.fleet.Step.UPGRADE;
import static dev.uplift.workflows.device.WaitFor.ANSWER;
import static dev.uplift.workflows.device.WaitFor.HEARTBEAT;
import static dev.uplift.workflows.device.WaitFor.PRESENCE;
import static io.temporal.api.enums.v1.RetryState.RETRY_STATE_TIMEOUT;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Reason;
import dev.uplift.fleet.Step;
import io.temporal.activity.ActivityOptions;
import io.temporal.failure.ActivityFailure;
import io.temporal.workflow.Async;
import io.temporal.workflow.Workflow;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Sends orders to hosts, waits for what they say, and breaks off what is in work.
final class Dispatch {
  private final UpgradePlan plan;
  private final Course course;
  private final Hosts hosts;
  private final Waits waits;
  private final Map<String, Integer> generations = new HashMap<>();
  private final Set<Order> inWork = new LinkedHashSet<>();
  private final Set<Order> cancelled = new HashSet<>();

  Dispatch(UpgradePlan plan, Course course, Hosts hosts, Waits waits) {
    this.plan = plan;
    this.course = course;
    this.hosts = hosts;
    this.waits = waits;
  }

  /// What the host is to do next, as the next generation of the step.
  Order order(Step step, HostId host) {
    return order(
        step, host, hosts.isUntouched(host) ? course.touchesBy(step) : course.beginsBy(step));
  }

  /// The same, with another end than the step usually has.
  Order order(Step step, HostId host, Instant notAfter) {
    boolean brings = course.isForward() && plan.revert().isEmpty();
    return new Order(
        plan.upgrade(),
        plan.device(),
        host,
        step,
        generations.merge(step + " " + host, 1, Integer::sum),
        plan.release(),
        brings ? plan.release().version() : hosts.versionBefore(host),
        hosts.bootBefore(host),
        hosts.makesWay(host),
        plan.allowDowngrade(),
        notAfter);
  }

  /// What the host says.
  ///
  /// @throws Stopped if it is too late to begin; then nothing is sent
  /// @throws io.temporal.failure.ActivityFailure if it said nothing in time, or on a cancel
  Answer send(Order order) {
    return send(order, course.endsBy(order.step()));
  }

  /// The same, by a host that has until then.
  Answer send(Order order, Instant until) {
    course.goOn();
    if (!Waits.now().isBefore(order.notAfter())) {
      throw course.stop(Reason.deadline(order.notAfter(), order + " was not begun"));
    }
    if ((order.step() == UPGRADE || isRevert(order)) && hosts.isUntouched(order.host())) {
      // Before it is sent: an upgrade that nobody answers may have happened all the same.
      hosts.reached(order.host(), TOUCHED);
    }
    inWork.add(order);
    try {
      Answer answer = waits.during(waitFor(order, until), () -> sendAgain(order, until));
      hosts.learn(order, answer);
      if (isRevert(order) && order.generation() == 1 && answer.hasLeftAlone()) {
        hosts.reached(order.host(), UNTOUCHED);
      }
      return answer;
    } finally {
      inWork.remove(order);
    }
  }

  /// Whether it takes back what is done, rather than what has failed.
  private boolean isRevert(Order order) {
    return order.step() == ROLLBACK && course.isForward();
  }

  /// The same order again if need be: Temporal ends a wait early whose next re-send would come too
  /// late.
  private Answer sendAgain(Order order, Instant until) {
    while (true) {
      try {
        Duration left = Duration.between(Waits.now(), until);
        return send(order, agent(plan.pace().step(left, order.toString())));
      } catch (ActivityFailure ended) {
        boolean early = ended.getRetryState() == RETRY_STATE_TIMEOUT;
        if (!early || !Waits.isTimeLeft(until)) {
          throw ended;
        }
      }
    }
  }

  private static Answer send(Order order, HostSteps agent) {
    return switch (order.step()) {
      case PREPARE -> agent.prepare(order);
      case UPGRADE -> agent.upgrade(order);
      case REBOOT -> agent.reboot(order);
      case AWAIT_STANDBY -> agent.awaitStandby(order);
      case STOP -> agent.stop(order);
      case AWAIT_HEARTBEAT -> agent.awaitHeartbeat(order);
      case COMMIT -> agent.commit(order);
      case ROLLBACK -> agent.rollback(order);
      case INSPECT -> agent.inspect(order);
      case CANCEL -> throw new IllegalArgumentException("nobody waits for a cancel");
    };
  }

  /// What we know of the order and its host ourselves. Waits as long as our own link is down.
  Sight look(Order order) {
    Wait wait =
        new Wait(
            PRESENCE,
            order.step(),
            order.host(),
            "our own link to the hosts, to tell what became of " + order,
            PRESENCE.from(order.host()),
            Waits.now(),
            Optional.empty());
    HostSteps us = agent(plan.pace().look("look at " + order.host()));
    return waits.during(wait, () -> us.look(order));
  }

  /// Has every command in work cancelled and awaits the answers to *them*, but no longer than the
  /// grace.
  void breakOff() {
    for (Order order : List.copyOf(inWork)) {
      if (order.step().canBeCancelled() && cancelled.add(order)) {
        Order cancel = order(CANCEL, order.host());
        HostSteps agent = agent(plan.pace().step(plan.pace().abortGrace(), cancel.toString()));
        Async.procedure(agent::cancel, cancel, order);
      }
    }
    Instant graceEnds = Waits.now().plus(plan.pace().abortGrace());
    Waits.sleep(graceEnds, "answers to cancel", () -> Collections.disjoint(inWork, cancelled));
  }

  private static HostSteps agent(ActivityOptions options) {
    return Workflow.newActivityStub(HostSteps.class, options);
  }

  private static Wait waitFor(Order order, Instant until) {
    return Waits.newWait(
        order.step().isSeen() ? HEARTBEAT : ANSWER,
        order.step(),
        order.host(),
        inWords(order),
        until);
  }

  private static String inWords(Order order) {
    String wanted = order.release().packageName() + " " + order.wanted();
    return switch (order.step()) {
      case AWAIT_HEARTBEAT ->
          "a heartbeat of %s that shows %s%s".formatted(order.host(), wanted, afterBoot(order));
      case AWAIT_STANDBY ->
          "a heartbeat of %s that stands by on %s".formatted(wanted, order.host());
      case PREPARE, UPGRADE, REBOOT, STOP, COMMIT, ROLLBACK, INSPECT, CANCEL ->
          "the answer of %s to %s".formatted(order.host(), order.step());
    };
  }

  private static String afterBoot(Order order) {
    return order.bootBefore().isEmpty() ? "" : ", after another boot than " + order.bootBefore();
  }
}
