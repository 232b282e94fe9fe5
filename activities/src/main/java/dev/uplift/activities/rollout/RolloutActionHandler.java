package dev.uplift.activities.rollout;

import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.decision.WaveCounts;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutRules;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.ActionResult;
import dev.uplift.workflows.rollout.RolloutAction;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Carries out one action on one rollout whose state allows it, under the lock of its row.
final class RolloutActionHandler {
  private static final int MAX_REFUSALS_TOLD = 5;

  private final RolloutRepositories repositories;
  private final RolloutRow row;
  private final RolloutAction action;
  private final RolloutControl control;
  private final String actor;

  RolloutActionHandler(RolloutRepositories repositories, RolloutRow row, RolloutAction action) {
    this.repositories = repositories;
    this.row = row;
    this.action = action;
    this.control = RolloutJson.readControl(row.control());
    this.actor = action.reason().isEmpty() ? action.by() : action.by() + ": " + action.reason();
  }

  ActionResult execute() {
    if (action.expectedRevision().filter(revision -> revision != row.revision()).isPresent()) {
      return refused("the rollout is at revision %d; read it again".formatted(row.revision()));
    }
    return switch (action.action()) {
      case START -> startNow();
      case PAUSE -> pause("paused; running upgrades finish");
      case RESUME -> resume();
      case ABORT -> stop(false, "nothing more is started; running upgrades finish");
      case ABORT_RUNNING -> stop(true, "nothing more is started, and running upgrades are aborted");
      case APPROVE -> approve();
      case DENY -> pause("denied and paused; resume asks again, abort ends it");
      case NEXT_WAVE -> nextWave();
      case SKIP_REMAINING -> skipRemaining();
      case RETRY_FAILED -> retry();
      case ROLL_BACK_WAVE -> rollBack();
      case SKIP_DEVICE -> skip();
      case ADD_DEVICE -> add();
      case CHANGE_RULES -> action.rules().map(this::changeRules).orElseGet(() -> refused("expected rules"));
    };
  }

  static ActionResult refused(String reason) {
    return new ActionResult(false, reason);
  }

  private static ActionResult applied(String message) {
    return new ActionResult(true, message);
  }

  private void saveControl(RolloutControl now) {
    repositories.rollouts().setControl(row.id(), RolloutJson.write(now));
  }

  private void saveState(RolloutState state, Optional<WaitReason> waitReason, String message) {
    repositories.rollouts().setState(row.id(), state, waitReason, message, Optional.empty());
  }

  private ActionResult startNow() {
    repositories.rollouts().addAuthor(row.id(), action.by());
    repositories.rollouts().startWave(row.id(), 1);
    saveState(RolloutState.RUNNING, Optional.empty(), "");
    return applied("starts now");
  }

  private ActionResult pause(String message) {
    saveControl(control.paused(actor));
    saveState(RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "paused by " + actor);
    return applied(message);
  }

  private ActionResult resume() {
    WaveCounts wave = currentWave();
    boolean over = wave.pending() + wave.inProgress() + wave.preparing() == 0;
    saveControl(control.resumed(actor, over));
    repositories.rollouts().resetFailureCounts(row.id());
    saveState(RolloutState.RUNNING, Optional.empty(), "");
    return applied("continues; failures so far count against no threshold");
  }

  private ActionResult stop(boolean hard, String message) {
    saveControl(control.aborted(actor, hard));
    saveState(RolloutState.ABORTING, Optional.of(WaitReason.ABORTING), actor);
    return applied(message);
  }

  private ActionResult approve() {
    if (row.isAuthor(action.by())) {
      return refused("%s created, changed or started the rollout; expected another person".formatted(action.by()));
    }
    int wave = Math.max(row.currentWave(), 1);
    repositories.waves().approve(row.id(), wave, action.by(), action.reason());
    saveControl(control.approved(actor));
    saveState(RolloutState.RUNNING, Optional.empty(), "");
    return applied("wave %d of %d may begin".formatted(wave, row.waveCount()));
  }

  private WaveCounts currentWave() {
    return repositories.statistics().targetCounts(row.id()).ofWave(row.currentWave());
  }

  private ActionResult nextWave() {
    WaveCounts wave = currentWave();
    boolean begun = wave.inProgress() + wave.preparing() > 0 || !wave.ended().isEmpty();
    if (begun && row.currentWave() == row.waveCount()) {
      return refused("wave %d is the last one".formatted(row.currentWave()));
    }
    saveControl(control.nextWave(actor, begun));
    return applied("wave %d begins now".formatted(begun ? row.currentWave() + 1 : row.currentWave()));
  }

  private ActionResult skipRemaining() {
    int wave = action.wave().orElse(row.currentWave());
    if (wave != row.currentWave()) {
      return refused("wave %d is not the current one, which is %d".formatted(wave, row.currentWave()));
    }
    int skipped = repositories.targets().skipPending(row.id(), wave);
    repositories.waves().markCompleted(row.id(), wave, action.by());
    saveControl(control.remainingSkipped(actor));
    return applied("wave %d is done; devices left out: %d".formatted(wave, skipped));
  }

  private ActionResult retry() {
    Set<TargetResult> failed = EnumSet.allOf(TargetResult.class);
    failed.removeIf(TargetResult::isSuccess);
    int devices = repositories.targets().retry(row.id(), failed, Set.copyOf(action.errorCodes()));
    if (devices == 0) {
      return refused("no device has failed" + (action.errorCodes().isEmpty() ? "" : " so"));
    }
    saveControl(control.retried());
    return applied("devices tried again: " + devices);
  }

  private ActionResult rollBack() {
    int wave = action.wave().orElse(row.currentWave());
    if (wave < 1 || wave > row.currentWave()) {
      return refused("wave %d has not begun; expected 1 to %d".formatted(wave, row.currentWave()));
    }
    int back =
        repositories.reverts().markToRevert(row.id(), wave, WaveRollback.REVERTIBLE_RESULTS)
            + repositories.reverts().markToRevertAgain(row.id(), wave, WaveRollback.REVERTIBLE_RESULTS);
    WaveCounts in = repositories.statistics().targetCounts(row.id()).ofWave(wave);
    int inWork = in.inProgress() + in.preparing();
    if (back + inWork == 0) {
      return refused("no device of wave %d runs the release".formatted(wave));
    }
    saveControl(control.rollingBack(wave, actor));
    saveState(RolloutState.ROLLING_BACK, Optional.of(WaitReason.ROLLING_BACK), actor);
    return applied(
        "wave %d is rolled back, then the rollout is paused; devices: %d, and in progress until then: %d"
            .formatted(wave, back, inWork));
  }

  /// The devices of the action, each once.
  private List<String> devices() {
    return action.devices().stream().filter(NameRule.DEVICE::isValid).distinct().toList();
  }

  private ActionResult skip() {
    List<String> refusals = new ArrayList<>();
    List<String> skipped = new ArrayList<>();
    for (String device : devices()) {
      if (repositories.targets().skip(row.id(), List.of(device)) > 0) {
        skipped.add(device);
      } else {
        refusals.add(refusalToSkip(device));
      }
    }
    if (!skipped.isEmpty()) {
      // A new revision ends the step in progress: a history that many actions have made long has to end.
      saveControl(control);
    }
    return ofSome(skipped, "is left out", "are left out", refusals);
  }

  private String refusalToSkip(String device) {
    return repositories
        .queue()
        .find(row.id(), device)
        .map(target -> "%s is %s; only a pending one can be left out".formatted(device, target.state()))
        .orElseGet(() -> device + " takes no part");
  }

  private ActionResult add() {
    List<String> refusals = new ArrayList<>();
    List<String> added = new ArrayList<>();
    for (String device : devices()) {
      refusalToAdd(device).ifPresentOrElse(refusals::add, () -> added.add(device));
    }
    if (added.isEmpty()) {
      return ofSome(added, "", "", refusals);
    }
    repositories.targets().addTargets(row.id(), row.waveCount(), added);
    List<Integer> waves = added.stream().map(this::wave).distinct().toList();
    int wave = waves.contains(row.currentWave()) ? row.currentWave() : waves.getFirst();
    String where = waves.size() == 1 ? ", in wave " + wave : "";
    String approval = changedByAuthor(wave);
    return ofSome(added, "takes part" + where + approval, "take part" + where + approval, refusals);
  }

  private Optional<String> refusalToAdd(String device) {
    if (repositories.findDevice(row.id(), device).isEmpty()) {
      return Optional.of("there is no device %s with hosts".formatted(device));
    }
    return repositories
        .queue()
        .find(row.id(), device)
        .filter(target -> target.state() != TargetState.SKIPPED)
        .map(target -> "%s takes part, and is %s".formatted(device, target.state()));
  }

  private int wave(String device) {
    return repositories.queue().find(row.id(), device).orElseThrow().queuePosition().wave();
  }

  /// The result of an action that some devices may have refused; all of them: nothing was done.
  private static ActionResult ofSome(List<String> done, String one, String many, List<String> refusals) {
    String some = String.join("; ", refusals.subList(0, Math.min(refusals.size(), MAX_REFUSALS_TOLD)));
    String told = refusals.size() > MAX_REFUSALS_TOLD ? some + "; …" : some;
    if (done.isEmpty()) {
      return refused(told.isEmpty() ? "expected a device" : told);
    }
    String what = done.size() == 1 ? done.getFirst() + " " + one : "%d devices %s".formatted(done.size(), many);
    return applied(refusals.isEmpty() ? what : "%s; not %d others: %s".formatted(what, refusals.size(), told));
  }

  private ActionResult changeRules(String text) {
    RolloutRules rules = RolloutJson.readRules(text);
    List<PlanViolation> violations = rules.faults(RolloutJson.readSpec(row.plan()).plan(), Instant.now());
    if (!violations.isEmpty()) {
      return refused(
          violations.stream()
              .map(planViolation -> planViolation.pointer() + ": " + planViolation.message())
              .collect(Collectors.joining("; ")));
    }
    repositories.rollouts().setRules(row.id(), text);
    return applied("other limits, thresholds and retries from now on" + changedByAuthor(row.currentWave()));
  }

  /// What was approved has changed: the wave asks again, and not the person who changed it. Returns what that means.
  private String changedByAuthor(int wave) {
    repositories.rollouts().addAuthor(row.id(), action.by());
    if (wave != row.currentWave() || control.approvedBy().isEmpty()) {
      // Else an approval that names the revision before would still hold.
      saveControl(control);
      return "";
    }
    repositories.waves().revokeApproval(row.id(), wave);
    saveControl(control.unapproved());
    return "; wave %d needs another approval".formatted(wave);
  }
}
