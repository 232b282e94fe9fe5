package dev.uplift.activities.rollout;

import dev.uplift.fleet.Names;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.Verdict;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.fleet.rollout.WaveCounts;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetRow;
import dev.uplift.workflows.rollout.SteerWish;
import dev.uplift.workflows.rollout.Steered;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// One wish about one rollout, in a state in which that may be wished; under the lock of its row.
final class Wishing {
  private final RolloutTables tables;
  private final RolloutRow row;
  private final SteerWish wish;
  private final Steering steering;
  private final String by;

  Wishing(RolloutTables tables, RolloutRow row, SteerWish wish) {
    this.tables = tables;
    this.row = row;
    this.wish = wish;
    this.steering = RolloutTexts.steering(row.steering());
    this.by = wish.remark().isEmpty() ? wish.by() : wish.by() + ": " + wish.remark();
  }

  Steered carryOut() {
    if (wish.ifRevision().filter(revision -> revision != row.revision()).isPresent()) {
      return no("the rollout is at revision %d; read it again".formatted(row.revision()));
    }
    return switch (wish.what()) {
      case START -> startNow();
      case PAUSE -> pause("paused; what is in work goes on to its end");
      case RESUME -> resume();
      case ABORT -> stop(false, "nothing more is started; what is in work goes on to its end");
      case ABORT_HARD -> stop(true, "nothing more is started, and what is in work is aborted");
      case APPROVE -> approve();
      case DENY -> pause("denied and paused; resume asks again, abort ends it");
      case NEXT_WAVE -> nextWave();
      case MARK_DONE -> markDone();
      case RETRY_FAILED -> retry();
      case ROLL_BACK_WAVE -> rollBack();
      case SKIP_DEVICE -> device().map(this::skip).orElseGet(() -> no("expected a device"));
      case ADD_DEVICE -> device().map(this::add).orElseGet(() -> no("expected a device"));
      case CHANGE_RULES -> wish.rules().map(this::rules).orElseGet(() -> no("expected rules"));
    };
  }

  private static Steered no(String why) {
    return new Steered(false, why);
  }

  private static Steered done(String what) {
    return new Steered(true, what);
  }

  private void write(Steering now) {
    tables.rollouts().steer(row.id(), RolloutTexts.write(now));
  }

  private void stand(RolloutState state, Optional<Waiting> what, String sentence) {
    tables.rollouts().stand(row.id(), state, what, sentence, Optional.empty());
  }

  private Steered startNow() {
    tables.rollouts().enter(row.id(), 1);
    stand(RolloutState.RUNNING, Optional.empty(), "");
    return done("starts now");
  }

  private Steered pause(String sentence) {
    write(steering.paused(by));
    stand(RolloutState.PAUSED, Optional.of(Waiting.PAUSED), "paused by " + by);
    return done(sentence);
  }

  private Steered resume() {
    write(steering.resumed());
    tables.rollouts().forgive(row.id());
    stand(RolloutState.RUNNING, Optional.empty(), "");
    return done("goes on; what has failed so far counts against no threshold any more");
  }

  private Steered stop(boolean hard, String sentence) {
    write(steering.stopped(by, hard));
    stand(RolloutState.ABORTING, Optional.of(Waiting.ABORTING), by);
    return done(sentence);
  }

  private Steered approve() {
    if (wish.by().equals(row.createdBy())) {
      return no("%s wrote the rollout; expected another person".formatted(wish.by()));
    }
    int wave = Math.max(row.currentWave(), 1);
    tables.waves().approve(row.id(), wave, wish.by(), wish.remark());
    write(steering.approved(by));
    stand(RolloutState.RUNNING, Optional.empty(), "");
    return done("wave %d of %d may begin".formatted(wave, row.waves()));
  }

  private WaveCounts current() {
    return tables.counts().counts(row.id()).of(row.currentWave());
  }

  private Steered nextWave() {
    WaveCounts wave = current();
    boolean begun = wave.inWork() + wave.ahead() > 0 || !wave.ended().isEmpty();
    if (begun && row.currentWave() == row.waves()) {
      return no("wave %d is the last one".formatted(row.currentWave()));
    }
    write(steering.nextWave(by, begun));
    return done("wave %d begins now".formatted(begun ? row.currentWave() + 1 : row.currentWave()));
  }

  private Steered markDone() {
    int wave = wish.wave().orElse(row.currentWave());
    if (wave != row.currentWave()) {
      return no("wave %d is not the current one, which is %d".formatted(wave, row.currentWave()));
    }
    int skipped = tables.targets().skipRest(row.id(), wave);
    tables.waves().markDone(row.id(), wave, wish.by());
    write(steering.markedDone(by));
    return done("wave %d is done; devices left out: %d".formatted(wave, skipped));
  }

  private Steered retry() {
    Set<Verdict> failed = EnumSet.allOf(Verdict.class);
    failed.removeIf(Verdict::isSuccess);
    int devices = tables.targets().retry(row.id(), failed, Set.copyOf(wish.codes()));
    return devices > 0
        ? done("devices tried again: " + devices)
        : no("no device has failed" + (wish.codes().isEmpty() ? "" : " so"));
  }

  private Steered rollBack() {
    int wave = wish.wave().orElse(row.currentWave());
    if (wave < 1 || wave > row.currentWave()) {
      return no("wave %d has not begun; expected 1 to %d".formatted(wave, row.currentWave()));
    }
    int back =
        tables.reverts().mark(row.id(), wave, GoingBack.WHO)
            + tables.reverts().markAgain(row.id(), wave, GoingBack.WHO);
    WaveCounts in = tables.counts().counts(row.id()).of(wave);
    int inWork = in.inWork() + in.ahead();
    if (back + inWork == 0) {
      return no("no device of wave %d runs the release".formatted(wave));
    }
    write(steering.rollingBack(wave, by));
    stand(RolloutState.ROLLING_BACK, Optional.of(Waiting.ROLLING_BACK), by);
    return done(
        "wave %d goes back, then the rollout is paused; devices: %d, and in work until then: %d"
            .formatted(wave, back, inWork));
  }

  private Optional<String> device() {
    return wish.device().filter(Names.DEVICE::allow);
  }

  private Steered skip(String device) {
    Optional<TargetRow> found = tables.queue().find(row.id(), device);
    if (found.isEmpty()) {
      return no(device + " takes no part");
    }
    return tables.targets().skip(row.id(), device)
        ? done(device + " is left out")
        : no("%s is %s; only a pending one can be left out".formatted(device, found.get().state()));
  }

  private Steered add(String device) {
    if (tables.device(row.id(), device).isEmpty()) {
      return no("there is no device %s with hosts".formatted(device));
    }
    Optional<TargetRow> found = tables.queue().find(row.id(), device);
    if (found.filter(target -> target.state() != TargetState.SKIPPED).isPresent()) {
      return no("%s takes part, and is %s".formatted(device, found.get().state()));
    }
    tables.targets().join(row.id(), row.waves(), List.of(device));
    return done(
        "%s takes part, in wave %d"
            .formatted(device, found.map(target -> target.turn().wave()).orElse(row.waves())));
  }

  private Steered rules(String text) {
    RolloutRules rules = RolloutTexts.rules(text);
    List<Fault> faults = rules.faults(RolloutTexts.wish(row.plan()).plan(), Instant.now());
    if (!faults.isEmpty()) {
      return no(
          faults.stream()
              .map(fault -> fault.pointer() + ": " + fault.detail())
              .collect(Collectors.joining("; ")));
    }
    tables.rollouts().setRules(row.id(), text);
    return done("other limits, thresholds and retries from now on");
  }
}
