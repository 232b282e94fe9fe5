package dev.uplift.api.rollouts;

import dev.uplift.api.rollouts.RolloutView.ApprovalView;
import dev.uplift.api.rollouts.RolloutView.RolloutWaitView;
import dev.uplift.api.rollouts.RolloutView.WaveView;
import dev.uplift.api.upgrades.TemporalUiLinks;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutControl;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.PageRequest;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.rollout.DecisionRow;
import dev.uplift.store.rollout.RolloutDecisionRepository;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.RolloutStatistics;
import dev.uplift.store.rollout.RolloutWaveRepository;
import dev.uplift.store.rollout.TargetCounts;
import dev.uplift.store.rollout.WaveRow;
import dev.uplift.workflows.rollout.RolloutInput;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Makes of what the tables know of a rollout what clients see.
@Singleton
final class RolloutViews {
  private final RolloutStatistics counts;
  private final RolloutWaveRepository waves;
  private final RolloutDecisionRepository decisions;
  private final FailingWorkflowRepository failingWorkflows;
  private final TemporalUiLinks temporalUi;

  RolloutViews(
      RolloutStatistics counts,
      RolloutWaveRepository waves,
      RolloutDecisionRepository decisions,
      FailingWorkflowRepository failingWorkflows,
      TemporalUiLinks temporalUi) {
    this.counts = counts;
    this.waves = waves;
    this.decisions = decisions;
    this.failingWorkflows = failingWorkflows;
    this.temporalUi = temporalUi;
  }

  /// Returns the whole view, which reads more than the row.
  private record Details(
      Optional<RolloutSpec> spec, RolloutControl control, TargetCounts counts, Optional<DecisionRow> lastDecision) {}

  /// For lists.
  RolloutView summary(RolloutRow row) {
    return view(row, Optional.empty());
  }

  RolloutView full(RolloutRow row) {
    return view(
        row,
        Optional.of(
            new Details(
                Optional.of(RolloutJson.readSpec(row.plan())),
                RolloutJson.readControl(row.control()),
                counts.targetCounts(row.id()),
                decisions.list(row.id(), PageRequest.first(1)).rows().stream().findFirst())));
  }

  /// For those who follow it: what may be another thing a second later.
  RolloutView progress(RolloutRow row) {
    return view(
        row,
        Optional.of(
            new Details(
                Optional.empty(),
                RolloutJson.readControl(row.control()),
                counts.targetCounts(row.id()),
                Optional.empty())));
  }

  List<WaveView> waves(RolloutRow row) {
    return waves(row, counts.targetCounts(row.id()));
  }

  private List<WaveView> waves(RolloutRow row, TargetCounts counted) {
    return waves.list(row.id()).stream().map(wave -> wave(row, wave, counted)).toList();
  }

  private static WaveView wave(RolloutRow row, WaveRow wave, TargetCounts counted) {
    return new WaveView(
        wave.number(),
        wave.title(),
        state(row, wave),
        DeviceCountsView.of(counted.ofWave(wave.number())),
        wave.approval().map(ApprovalView::of),
        wave.startedAt(),
        wave.lastEndedAt(),
        wave.completedAt(),
        wave.completedBy());
  }

  private static String state(RolloutRow row, WaveRow wave) {
    if (wave.startedAt().isEmpty()) {
      return "pending";
    }
    if (wave.completedAt().isPresent() || row.state() == RolloutState.ENDED) {
      return "completed";
    }
    return row.waiting().filter(wait -> wait.reason() == WaitReason.SOAK).isPresent() ? "soaking" : "running";
  }

  private RolloutView view(RolloutRow row, Optional<Details> more) {
    return new RolloutView(
        row.id().name(),
        row.title(),
        row.release().packageName(),
        row.release().version(),
        row.state().toString(),
        row.outcome().map(Object::toString),
        row.currentWave(),
        row.waveCount(),
        row.createdBy(),
        row.createdAt(),
        row.startAt(),
        row.startedAt(),
        row.endedAt(),
        row.priority(),
        row.waiting().map(RolloutWaitView::of),
        row.revision(),
        row.isFrozen() ? temporalUi.rollout(row.id()) : Optional.empty(),
        more.flatMap(Details::spec).map(spec -> plan(row, spec)),
        more.map(_ -> row.state().allowedActions().stream().map(OperatorAction::toString).toList()),
        more.flatMap(known -> known.control().pausedBy()),
        more.flatMap(known -> known.control().abortedBy()),
        more.map(known -> DeviceCountsView.of(known.counts().all())),
        more.map(known -> waves(row, known.counts())),
        more.flatMap(Details::lastDecision).map(DecisionView::of),
        more.filter(_ -> row.endedAt().isEmpty()).flatMap(_ -> failingWorkflow(row)));
  }

  private Optional<String> failingWorkflow(RolloutRow row) {
    return failingWorkflows
        .find(row.id().tenant(), RolloutInput.workflowId(row.id().tenant(), row.id().name()))
        .map(FailingWorkflow::describe);
  }

  /// As it is in force: with the rules of now.
  private static Map<String, Object> plan(RolloutRow row, RolloutSpec spec) {
    return RolloutRequest.of(spec, RolloutJson.readRules(row.rules())).toMap();
  }
}
