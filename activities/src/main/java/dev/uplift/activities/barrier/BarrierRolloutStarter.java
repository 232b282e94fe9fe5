package dev.uplift.activities.barrier;

import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.barrier.BarrierHostState;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.services.barrier.BarrierJson;
import dev.uplift.services.barrier.BarrierRepositories;
import dev.uplift.services.barrier.BarrierSpec;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.barrier.BarrierHostRow;
import dev.uplift.store.barrier.BarrierRow;
import dev.uplift.store.rollout.RolloutRow;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Begins the rollout that follows a barrier, with the devices of which every host had halted.
@Singleton
final class BarrierRolloutStarter {
  private static final Logger LOG = LoggerFactory.getLogger(BarrierRolloutStarter.class);

  private final BarrierRepositories tables;
  private final RolloutPlanner planner;
  private final RolloutWorkflowClient workflows;

  BarrierRolloutStarter(BarrierRepositories tables, RolloutPlanner planner, RolloutWorkflowClient workflows) {
    this.tables = tables;
    this.planner = planner;
    this.workflows = workflows;
  }

  /// Returns the name of the rollout, if there is to be one. Safe to repeat: it has the same id each time. A rollout
  /// with that id that was created by a person is left alone.
  Optional<String> startIfWanted(BarrierRow barrier) {
    BarrierSpec spec = BarrierJson.read(barrier.spec());
    Optional<Release> next =
        spec.nextRelease().filter(_ -> barrier.outcome().filter(BarrierOutcome::isMigrated).isPresent());
    List<String> devices = next.isEmpty() ? List.of() : haltedDevices(barrier);
    return devices.isEmpty() ? Optional.empty() : start(barrier, spec, next.orElseThrow(), devices);
  }

  private List<String> haltedDevices(BarrierRow barrier) {
    List<BarrierHostRow> hosts = tables.hosts().listAll(barrier.tenant(), barrier.name());
    Set<String> others =
        hosts.stream()
            .filter(host -> host.state() == BarrierHostState.MISSING)
            .map(BarrierHostRow::device)
            .collect(Collectors.toSet());
    return hosts.stream().map(BarrierHostRow::device).distinct().filter(device -> !others.contains(device)).toList();
  }

  private Optional<String> start(BarrierRow barrier, BarrierSpec spec, Release release, List<String> devices) {
    RolloutId id = barrier.id().rollout();
    PlanningResult result =
        tables.rollouts().database().inTransaction(() -> create(barrier, spec, release, devices, id));
    return switch (result) {
      case PlanningResult.Created(RolloutRow row) -> startWorkflow(row);
      case PlanningResult.AlreadyExists(RolloutRow row) when row.createdBy().equals(barrier.id().actor()) ->
          startWorkflow(row);
      case PlanningResult.AlreadyExists(RolloutRow row) -> {
        LOG.warn("no rollout follows barrier {}: {} is by {}", barrier.id(), row.id(), row.createdBy());
        yield Optional.empty();
      }
      case PlanningResult.Invalid invalid -> {
        LOG.warn("no rollout follows barrier {}: {}", barrier.id(), invalid.faults());
        yield Optional.empty();
      }
      case PlanningResult.Previewed _, PlanningResult.DraftNotFound _ ->
          throw new IllegalStateException("expected a stored rollout: " + result);
    };
  }

  private PlanningResult create(
      BarrierRow barrier, BarrierSpec spec, Release release, List<String> devices, RolloutId id) {
    String by = barrier.id().actor();
    PlanningResult result = planner.create(id, spec.rollout(barrier.id(), release), devices, by);
    if (result instanceof PlanningResult.Created(RolloutRow row)) {
      tables
          .rollouts()
          .audit()
          .append(new AuditEntry(id.tenant(), by, "rollout.create", "rollout/" + id.name(), "", row.plan()));
    }
    return result;
  }

  /// The rows say that it has to run: what is not started now, the reconciler of rollouts starts.
  private Optional<String> startWorkflow(RolloutRow row) {
    try {
      if (row.endedAt().isEmpty()) {
        workflows.start(row);
      }
    } catch (TemporalUnavailable e) {
      LOG.warn("rollout {} is recorded and starts later: {}", row.id(), e.getMessage());
    }
    return Optional.of(row.id().name());
  }
}
