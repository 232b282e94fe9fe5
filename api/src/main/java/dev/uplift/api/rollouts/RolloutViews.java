package dev.uplift.api.rollouts;

import dev.uplift.activities.rollout.RolloutTexts;
import dev.uplift.activities.rollout.RolloutWish;
import dev.uplift.api.rollouts.RolloutView.ApprovalView;
import dev.uplift.api.rollouts.RolloutView.LinksView;
import dev.uplift.api.rollouts.RolloutView.WaitView;
import dev.uplift.api.rollouts.RolloutView.WaveView;
import dev.uplift.api.upgrades.TemporalUi;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.Steer;
import dev.uplift.fleet.rollout.Steering;
import dev.uplift.fleet.rollout.Waiting;
import dev.uplift.store.DecisionRow;
import dev.uplift.store.PageRequest;
import dev.uplift.store.RolloutCounts;
import dev.uplift.store.RolloutDecisions;
import dev.uplift.store.RolloutRow;
import dev.uplift.store.RolloutWaves;
import dev.uplift.store.TargetCounts;
import dev.uplift.store.WaveRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// Makes of what the tables know of a rollout what clients see.
@Singleton
final class RolloutViews {
  private static final JsonMapper MAPPER = JsonMapper.shared();

  private final RolloutCounts counts;
  private final RolloutWaves waves;
  private final RolloutDecisions decisions;
  private final TemporalUi temporalUi;

  RolloutViews(
      RolloutCounts counts, RolloutWaves waves, RolloutDecisions decisions, TemporalUi temporalUi) {
    this.counts = counts;
    this.waves = waves;
    this.decisions = decisions;
    this.temporalUi = temporalUi;
  }

  /// What takes more than the row.
  private record More(
      Optional<RolloutWish> wish,
      Steering steering,
      TargetCounts counts,
      Optional<DecisionRow> last) {}

  /// For lists.
  RolloutView brief(RolloutRow row) {
    return view(row, Optional.empty());
  }

  RolloutView whole(RolloutRow row) {
    return view(
        row,
        Optional.of(
            new More(
                Optional.of(RolloutTexts.wish(row.plan())),
                RolloutTexts.steering(row.steering()),
                counts.counts(row.id()),
                decisions.list(row.id(), PageRequest.first(1)).rows().stream().findFirst())));
  }

  /// For those who follow it: what may be another thing a second later.
  RolloutView progress(RolloutRow row) {
    return view(
        row,
        Optional.of(
            new More(
                Optional.empty(),
                RolloutTexts.steering(row.steering()),
                counts.counts(row.id()),
                Optional.empty())));
  }

  List<WaveView> waves(RolloutRow row) {
    return waves(row, counts.counts(row.id()));
  }

  private List<WaveView> waves(RolloutRow row, TargetCounts counted) {
    return waves.list(row.id()).stream().map(wave -> wave(row, wave, counted)).toList();
  }

  private static WaveView wave(RolloutRow row, WaveRow wave, TargetCounts counted) {
    return new WaveView(
        wave.number(),
        wave.title(),
        state(row, wave),
        CountsView.of(counted.of(wave.number())),
        wave.approval().map(ApprovalView::of),
        wave.beganAt(),
        wave.lastEndedAt(),
        wave.doneAt(),
        wave.doneBy());
  }

  private static String state(RolloutRow row, WaveRow wave) {
    if (wave.beganAt().isEmpty()) {
      return "pending";
    }
    if (wave.doneAt().isPresent() || row.state() == RolloutState.ENDED) {
      return "done";
    }
    return row.waiting().filter(wait -> wait.what() == Waiting.SOAK).isPresent()
        ? "soaking"
        : "running";
  }

  private RolloutView view(RolloutRow row, Optional<More> more) {
    return new RolloutView(
        row.id().name(),
        row.title(),
        row.release().packageName(),
        row.release().version(),
        row.state().toString(),
        row.outcome().map(Object::toString),
        row.currentWave(),
        row.waves(),
        row.createdBy(),
        row.createdAt(),
        row.startAt(),
        row.startedAt(),
        row.endedAt(),
        row.priority(),
        row.waiting().map(WaitView::of),
        row.revision(),
        new LinksView(row.isFrozen() ? temporalUi.rollout(row.id()) : Optional.empty()),
        more.flatMap(More::wish).map(wish -> plan(row, wish)),
        more.map(_ -> row.state().allowed().stream().map(Steer::toString).toList()),
        more.flatMap(known -> known.steering().pausedBy()),
        more.flatMap(known -> known.steering().stoppedBy()),
        more.map(known -> CountsView.of(known.counts().all())),
        more.map(known -> waves(row, known.counts())),
        more.flatMap(More::last).map(DecisionView::of));
  }

  /// As it is in force: with the rules of now.
  private static Map<String, Object> plan(RolloutRow row, RolloutWish wish) {
    ObjectNode json = PlanJson.of(wish);
    json.setAll(PlanJson.of(RolloutTexts.rules(row.rules())));
    return MAPPER.convertValue(json, new TypeReference<Map<String, Object>>() {});
  }
}
