package dev.uplift.activities.rollout;

import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.Decision.Abort;
import dev.uplift.fleet.rollout.Decision.Finish;
import dev.uplift.fleet.rollout.Decision.NextWave;
import dev.uplift.fleet.rollout.Decision.Pause;
import dev.uplift.fleet.rollout.Decision.RollBackWave;
import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.NextStarts;
import dev.uplift.fleet.rollout.RolloutPlan;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Situation;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.fleet.rollout.WavePolicy;
import dev.uplift.fleet.rollout.WaveRules;
import dev.uplift.fleet.rollout.WaveSize;
import dev.uplift.fleet.rollout.WaveSpec;
import dev.uplift.store.NewDecision;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.TargetCounts;
import dev.uplift.store.TargetRow;
import dev.uplift.store.WaveRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// Asks the policy until it says to start devices, to wait, or that it is over, and writes what it
/// says. For one pass, under the lock of the rollout.
final class Deciding {
  static final String UPLIFT = "uplift";

  private final RolloutTables tables;
  private final RolloutId id;
  private final RolloutPlan plan;
  private final Silence silence;
  private final Instant now;
  private final boolean mayLookAhead;

  /// @param plan under the rules that hold now
  /// @param mayLookAhead whether it is worth a look who may prepare ahead while no slot is free
  Deciding(
      RolloutTables tables,
      RolloutId id,
      RolloutPlan plan,
      Silence silence,
      Instant now,
      boolean mayLookAhead) {
    this.mayLookAhead = mayLookAhead;
    this.tables = tables;
    this.id = id;
    this.plan = plan;
    this.silence = silence;
    this.now = now;
  }

  /// What it came to.
  ///
  /// @param begun who is to be started
  /// @param going who is to be told to go on
  /// @param nobody of those that are to come might start, and why; empty if somebody did, or if
  ///   nobody was looked for
  /// @param counts as they stand afterwards
  record Decided(
      Decision decision,
      Optional<Instant> lookAgain,
      List<TargetRow> begun,
      List<TargetRow> going,
      Optional<Wait> nobody,
      TargetCounts counts) {}

  /// @param counts as the situation has them; of a large rollout they are not asked for twice
  private record Found(Situation situation, TargetCounts counts) {}

  /// How a wave is planned.
  static WaveSpec spec(RolloutTables tables, RolloutId id, RolloutPlan plan, int number) {
    return spec(plan, tables.waves().find(id, number).map(WaveRow::place).orElse(-1));
  }

  static WaveSpec spec(RolloutPlan plan, int place) {
    return place >= 0 && place < plan.waves().size()
        ? plan.waves().get(place)
        : WaveSpec.of(new WaveSize.Rest());
  }

  /// @param still why nobody may start, where that was found out a moment ago
  /// @param noneBack why nobody of those that are to go back may
  Decided decide(Optional<Wait> still, Optional<Wait> noneBack) {
    while (true) {
      RolloutRow row = tables.rollouts().find(id).orElseThrow();
      Found found = find(row);
      Situation situation = found.situation();
      Steering steering = situation.steering();
      switch (WavePolicy.decide(situation)) {
        case Start room -> {
          return start(row, room, found, still);
        }
        case Wait wait -> {
          return waits(row, with(wait, noneBack), found, Optional.empty());
        }
        case Finish end -> {
          note(row, end, situation);
          tables.rollouts().end(id, end.outcome());
          return new Decided(
              end, Optional.empty(), List.of(), List.of(), Optional.empty(), found.counts());
        }
        case NextWave next -> {
          note(row, next, situation);
          tables.rollouts().enter(id, row.currentWave() + 1);
          steer(steering.atNextWave());
        }
        case Pause pause -> {
          note(row, pause, situation);
          steer(steering.paused(by(pause)));
        }
        case RollBackWave back -> {
          note(row, back, situation);
          tables.reverts().mark(id, row.currentWave(), GoingBack.WHO);
          TargetCounts counts = tables.counts().counts(id);
          boolean nobody = counts.toGoBack() + counts.all().inWork() == 0;
          steer(
              nobody
                  ? steering.paused(by(back))
                  : steering.rollingBack(row.currentWave(), by(back)));
        }
        case Abort abort -> {
          note(row, abort, situation);
          steer(steering.stopped(by(abort), false));
        }
      }
    }
  }

  private static Wait with(Wait wait, Optional<Wait> noneBack) {
    return noneBack
        .filter(_ -> wait.what() == Waiting.ROLLING_BACK)
        .map(why ->
            new Wait(wait.what(), why.until(), "%s; %s".formatted(wait.sentence(), why.sentence())))
        .orElse(wait);
  }

  private static String by(Decision decision) {
    return UPLIFT + ": " + decision.sentence();
  }

  private void steer(Steering steering) {
    tables.rollouts().steer(id, RolloutTexts.write(steering));
  }

  private Found find(RolloutRow row) {
    TargetCounts counts = tables.counts().counts(id);
    return new Found(situation(row, counts), counts);
  }

  private Situation situation(RolloutRow row, TargetCounts counts) {
    int wave = row.currentWave();
    return new Situation(
        WaveRules.of(plan, spec(tables, id, plan, wave), wave, row.waves()),
        RolloutTexts.steering(row.steering()),
        counts.of(wave),
        counts.before(wave),
        counts.after(wave).pending(),
        tables.counts().judged(id, row.mark()),
        tables.counts().pacing(id, now),
        counts.toGoBack(),
        tables.waves().find(id, wave).flatMap(WaveRow::lastEndedAt),
        now);
  }

  private Decided start(RolloutRow row, Start room, Found found, Optional<Wait> still) {
    boolean ahead = mayLookAhead && room.ahead() > 0 && !plan.window().prepareAhead().isZero();
    if (room.now() == 0 && !ahead) {
      return waits(row, full(room), found, Optional.empty());
    }
    if (still.isPresent()) {
      return waits(row, still.get(), found, still);
    }
    var choosing = new Choosing(tables, row, plan, silence, now);
    NextStarts next = choosing.choose(room, found.situation().rules().soak());
    if (next.isEmpty()) {
      Wait wait = room.now() == 0 ? full(room) : next.waiting();
      return waits(row, wait, found, Optional.of(wait).filter(_ -> room.now() > 0));
    }
    List<TargetRow> begun = new ArrayList<>(tables.targets().begin(id, next.start(), false));
    begun.addAll(tables.targets().begin(id, next.ahead(), true));
    List<TargetRow> going = tables.targets().proceed(id, next.goOn());
    tables.decisions().appendIfNew(id, said(row, room, found.situation()));
    tables.rollouts().stand(id, RolloutState.RUNNING, Optional.empty(), "", Optional.empty());
    TargetCounts afterwards = tables.counts().counts(id);
    return new Decided(room, Optional.empty(), begun, going, Optional.empty(), afterwards);
  }

  private static Wait full(Start room) {
    return new Wait(Waiting.MAX_PARALLEL, Optional.empty(), room.sentence());
  }

  private Decided waits(RolloutRow row, Wait wait, Found found, Optional<Wait> nobody) {
    if (isWorthALine(wait.what())) {
      tables.decisions().appendIfNew(id, said(row, wait, found.situation()));
    }
    tables
        .rollouts()
        .stand(
            id, RolloutState.after(wait), Optional.of(wait.what()), wait.sentence(), wait.until());
    Optional<Instant> next =
        Stream.of(wait.until(), found.situation().lookAgain())
            .flatMap(Optional::stream)
            .min(Comparator.naturalOrder());
    return new Decided(wait, next, List.of(), List.of(), nobody, found.counts());
  }

  /// What comes and goes with every device is in no log, and a pause is there already: it was
  /// decided, or somebody's wish.
  private static boolean isWorthALine(Waiting what) {
    return switch (what) {
      case IN_WORK, MAX_PARALLEL, RATE, GROUP, BUSY, OUTRANKED, BACK_OFF, PAUSED -> false;
      case APPROVAL, GATE_TIME, WINDOW, NO_WINDOW, HELD, SOAK, ROLLING_BACK, ABORTING -> true;
    };
  }

  private void note(RolloutRow row, Decision decision, Situation found) {
    tables.decisions().append(id, said(row, decision, found));
  }

  private static NewDecision said(RolloutRow row, Decision decision, Situation found) {
    return new NewDecision(
        row.currentWave(),
        decision.word(),
        decision instanceof Wait wait ? wait.what().toString() : "",
        decision.sentence(),
        found.inWords(),
        UPLIFT,
        Optional.empty());
  }
}
