package dev.uplift.workflows.device;

import dev.uplift.fleet.ErrorClass;
import dev.uplift.fleet.HostState;
import dev.uplift.fleet.Step;
import dev.uplift.workflows.device.StepResult.Cancelled;
import dev.uplift.workflows.device.StepResult.Done;
import dev.uplift.workflows.device.StepResult.Failed;
import dev.uplift.workflows.device.StepResult.HandoverRequired;
import dev.uplift.workflows.device.StepResult.RebootRequired;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// A machine in memory that executes every step.
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
  private boolean beatsWithItsAnswer;
  private final Map<StepRequest, StepResult> lateResults = new HashMap<>();
  private final Set<StepRequest> cancelled = new HashSet<>();

  FakeHost needsReboot() {
    needsReboot = true;
    return this;
  }

  /// Makes upgrades of this host need a handover, like those of an agent.
  FakeHost handsOver() {
    handsOver = true;
    return this;
  }

  /// Makes the heartbeat that shows an upgrade arrive before its answer.
  FakeHost beatsWithItsAnswer() {
    beatsWithItsAnswer = true;
    return this;
  }

  FakeHost goesOnTrial() {
    goesOnTrial = true;
    return this;
  }

  /// Boots spontaneously.
  synchronized void boot() {
    boot++;
    if (!afterBoot.isEmpty()) {
      version = afterBoot;
      afterBoot = "";
    }
  }

  /// Makes the old agent roll back to itself.
  synchronized StepResult revertHandover() {
    standby = "";
    return new Failed("rolled-back", ErrorClass.FINAL, "it crashed");
  }

  /// Upgrades without a second agent, as on hosts with little memory.
  synchronized StepResult runsAlone(StepRequest stepRequest) {
    handsOver = false;
    return execute(stepRequest);
  }

  synchronized void setVersion(String version) {
    this.version = version;
  }

  /// Stops the heartbeats.
  synchronized void fallSilent() {
    silent = true;
  }

  /// Stops heartbeats and answers.
  synchronized void powerOff() {
    silent = true;
    off = true;
  }

  /// Boots the host if it was off.
  synchronized void powerOn() {
    silent = false;
    off = false;
    boot();
  }

  synchronized boolean isHeard() {
    return !silent;
  }

  synchronized String version() {
    return version;
  }

  synchronized void answerTooLate(StepRequest to, StepResult tooLate) {
    lateResults.put(to, tooLate);
  }

  synchronized void cancel(StepRequest stepRequest) {
    cancelled.add(stepRequest);
  }

  /// Executes a step and returns its answer.
  synchronized StepResult execute(StepRequest stepRequest) {
    if (off || (silent && stepRequest.step() == Step.AWAIT_HOST)) {
      throw new IllegalStateException("no answer");
    }
    if (cancelled.contains(stepRequest)) {
      return new Cancelled();
    }
    return switch (stepRequest.step()) {
      case PREPARE -> {
        staged = stepRequest.targetVersion();
        yield done();
      }
      case UPGRADE -> install(stepRequest.targetVersion());
      case ROLLBACK ->
          version.equals(stepRequest.targetVersion()) ? handoverReverted() : install(stepRequest.targetVersion());
      case REBOOT -> {
        if (bootId().equals(stepRequest.bootBefore())) {
          boot();
        }
        yield done();
      }
      case COMMIT -> {
        onTrial = false;
        yield done();
      }
      case STOP -> stop(stepRequest);
      case AWAIT_SUCCESSOR -> standby(stepRequest);
      case AWAIT_HEARTBEAT -> awaitHeartbeat(stepRequest);
      case HALT, RESUME -> throw new IllegalArgumentException("no step of an upgrade: " + stepRequest.step());
      case AWAIT_HOST, INSPECT, CANCEL -> done();
    };
  }

  private StepResult install(String wanted) {
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
    return new Done(state(), beatsWithItsAnswer);
  }

  private StepResult standby(StepRequest stepRequest) {
    if (silent || !(stepRequest.targetVersion().equals(standby) || version.equals(stepRequest.targetVersion()))) {
      throw new IllegalStateException("no agent stands by");
    }
    return new Done(new HostState(stepRequest.targetVersion(), "", bootId(), true));
  }

  private StepResult stop(StepRequest stepRequest) {
    if (!stepRequest.outgoingInstance().equals(Optional.of(instance())) || standby.isEmpty()) {
      return new Failed("no-successor", ErrorClass.FINAL, "no agent stands by");
    }
    StepResult lastWords = done();
    version = standby;
    standby = "";
    onTrial = goesOnTrial && version.equals(stepRequest.release().version());
    agent++;
    return lastWords;
  }

  private StepResult handoverReverted() {
    staged = "";
    standby = "";
    afterBoot = "";
    return done();
  }

  private StepResult awaitHeartbeat(StepRequest stepRequest) {
    if (silent || !stepRequest.isReachedBy(state())) {
      throw new IllegalStateException("no such heartbeat");
    }
    return done();
  }

  synchronized HostObservation observe(StepRequest stepRequest, Instant listeningSince) {
    return new HostObservation(
        Optional.ofNullable(lateResults.get(stepRequest)),
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
