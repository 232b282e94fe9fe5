package dev.uplift.workflows.device;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.workflows.device.Answer.Cancelled;
import dev.uplift.workflows.device.Answer.Done;
import dev.uplift.workflows.device.Answer.Failed;
import dev.uplift.workflows.device.Answer.HandoverRequired;
import dev.uplift.workflows.device.Answer.RebootRequired;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A machine in memory that does what it is told, as a good one does.
final class FakeHost {
  private String version = "1.4.0";
  private String staged = "";
  private String afterBoot = "";
  private int boot = 1;
  private int agent = 1;
  private String standby = "";
  private boolean needsReboot;
  private boolean handsOver;
  private boolean goesOnTrial;
  private boolean onTrial;
  private boolean silent;
  private boolean off;
  private final Map<Order, Answer> saidTooLate = new HashMap<>();
  private final Set<Order> cancelled = new HashSet<>();

  FakeHost needsReboot() {
    needsReboot = true;
    return this;
  }

  /// As the agent does that upgrades itself.
  FakeHost handsOver() {
    handsOver = true;
    return this;
  }

  FakeHost goesOnTrial() {
    goesOnTrial = true;
    return this;
  }

  /// Boots without being told to.
  synchronized void boot() {
    boot++;
    if (!afterBoot.isEmpty()) {
      version = afterBoot;
      afterBoot = "";
    }
  }

  /// The old agent gives the new one up.
  synchronized Answer turnBack() {
    standby = "";
    return new Failed("reverted", ErrorClass.FINAL, "it crashed");
  }

  /// Where two agents do not fit.
  synchronized Answer runsAlone(Order order) {
    handsOver = false;
    return obey(order);
  }

  synchronized void nowRuns(String version) {
    this.version = version;
  }

  /// Its heartbeats stop.
  synchronized void fallSilent() {
    silent = true;
  }

  /// It answers nothing either.
  synchronized void goOff() {
    silent = true;
    off = true;
  }

  /// As after a boot, if it was off.
  synchronized void comeBack() {
    silent = false;
    off = false;
    boot();
  }

  synchronized String version() {
    return version;
  }

  synchronized void say(Order to, Answer tooLate) {
    saidTooLate.put(to, tooLate);
  }

  synchronized void cancel(Order order) {
    cancelled.add(order);
  }

  /// Does it and says so.
  synchronized Answer obey(Order order) {
    if (off) {
      throw new IllegalStateException("no answer");
    }
    if (cancelled.contains(order)) {
      return new Cancelled();
    }
    return switch (order.step()) {
      case PREPARE -> {
        staged = order.wanted();
        yield done();
      }
      case UPGRADE -> install(order.wanted());
      case ROLLBACK -> version.equals(order.wanted()) ? stayed() : install(order.wanted());
      case REBOOT -> {
        if (bootId().equals(order.bootBefore())) {
          boot();
        }
        yield done();
      }
      case COMMIT -> {
        onTrial = false;
        yield done();
      }
      case STOP -> stop(order);
      case AWAIT_STANDBY -> standby(order);
      case AWAIT_HEARTBEAT -> beat(order);
      case INSPECT, CANCEL -> done();
    };
  }

  private Answer install(String wanted) {
    staged = "";
    if (handsOver) {
      standby = wanted;
      return new HandoverRequired(instance());
    }
    onTrial = goesOnTrial;
    if (needsReboot) {
      afterBoot = wanted;
      return new RebootRequired(bootId());
    }
    version = wanted;
    return done();
  }

  private Answer standby(Order order) {
    if (silent || !(order.wanted().equals(standby) || version.equals(order.wanted()))) {
      throw new IllegalStateException("nobody stands by");
    }
    return new Done(new HostState(order.wanted(), "", bootId(), true));
  }

  private Answer stop(Order order) {
    if (!order.instance().equals(Optional.of(instance())) || standby.isEmpty()) {
      return new Failed("no-successor", ErrorClass.FINAL, "nobody stands by");
    }
    Answer lastWords = done();
    version = standby;
    standby = "";
    onTrial = goesOnTrial && version.equals(order.release().version());
    agent++;
    return lastWords;
  }

  private Answer stayed() {
    staged = "";
    standby = "";
    afterBoot = "";
    return done();
  }

  private Answer beat(Order order) {
    if (silent || !order.isReachedBy(state())) {
      throw new IllegalStateException("no such heartbeat");
    }
    return done();
  }

  synchronized Sight sight(Order order, Instant listeningSince) {
    return new Sight(
        Optional.ofNullable(saidTooLate.get(order)),
        silent ? Optional.empty() : Optional.of(state()),
        silent,
        Instant.EPOCH,
        listeningSince);
  }

  private Done done() {
    return new Done(state());
  }

  private HostState state() {
    return new HostState(version, staged, bootId(), onTrial);
  }

  private String instance() {
    return "agent-" + agent;
  }

  private String bootId() {
    return "boot-" + boot;
  }
}
