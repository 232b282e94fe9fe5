package dev.uplift.activities.rollout;

import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.PauseCause;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.upgrade.FailureRepository.StrandedDevice;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/// Checks what waits for a person after workflows or rows were lost: paused rollouts, stranded devices, and workflows
/// of rollouts that are not in the tables.
@Singleton
public final class LostWorkflowDiagnosis implements DiagnosisCheck {
  private static final String PART = "workflows";

  /// More are not counted.
  private static final int MAX_COUNTED = 100;

  private static final int MAX_NAMES = 3;
  private static final int MAX_WORKFLOWS = 1000;

  private final RolloutRepositories repositories;
  private final RolloutWorkflowClient workflows;

  LostWorkflowDiagnosis(RolloutRepositories repositories, RolloutWorkflowClient workflows) {
    this.repositories = repositories;
    this.workflows = workflows;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    // Before the rows, of which each is written before its workflow begins.
    Optional<List<RolloutId>> running = listRunning();
    try {
      List<RolloutRow> open = repositories.rollouts().findOpen();
      return List.of(
          judgePaused(open.stream().filter(LostWorkflowDiagnosis::hasLostWorkflow).map(RolloutRow::id).toList()),
          judgeStranded(repositories.common().failures().listStranded(MAX_COUNTED + 1)),
          running
              .map(ids -> judgeUnknown(listUnknown(ids, open)))
              .orElseGet(() ->
                  DiagnosisFinding.warning(
                      PART, "whether each of a rollout has its row is not known without Temporal", "see temporal")));
    } catch (DatabaseUnavailable _) {
      return List.of(DiagnosisFinding.warning(PART, "what was lost is not known without the database", "see database"));
    }
  }

  /// Empty if Temporal does not answer.
  private Optional<List<RolloutId>> listRunning() {
    try {
      return Optional.of(workflows.listRunning(MAX_WORKFLOWS));
    } catch (TemporalUnavailable _) {
      return Optional.empty();
    }
  }

  private static boolean hasLostWorkflow(RolloutRow row) {
    try {
      return row.state() == RolloutState.PAUSED
          && RolloutJson.readControl(row.control()).pauseCause().equals(Optional.of(PauseCause.WORKFLOW_ENDED));
    } catch (RuntimeException _) {
      // The reconciler says so of a row that cannot be read.
      return false;
    }
  }

  private List<RolloutId> listUnknown(List<RolloutId> running, List<RolloutRow> open) {
    Set<RolloutId> known = open.stream().map(RolloutRow::id).collect(Collectors.toSet());
    return running.stream()
        .filter(id -> !known.contains(id) && repositories.rollouts().find(id).isEmpty())
        .limit(MAX_COUNTED + 1L)
        .toList();
  }

  static DiagnosisFinding judgePaused(List<RolloutId> paused) {
    return paused.isEmpty()
        ? DiagnosisFinding.ok(PART, "no rollout is paused because its workflow was ended")
        : DiagnosisFinding.warning(
            PART,
            "rollouts that are paused because their workflow was ended: " + describe(paused),
            "`uplift rollout resume ROLLOUT --tenant TENANT`, once it is known why it ended");
  }

  static DiagnosisFinding judgeStranded(List<StrandedDevice> stranded) {
    return stranded.isEmpty()
        ? DiagnosisFinding.ok(PART, "no device is stranded")
        : DiagnosisFinding.warning(
            PART,
            "devices whose newest upgrade is stranded: "
                + describe(stranded.stream().map(each -> each.tenant() + "/" + each.device()).toList()),
            "look at them (`uplift upgrade list --outcome stranded --tenant TENANT`), `uplift upgrade start` again, then"
                + " resume their rollouts: docs/backup.md");
  }

  static DiagnosisFinding judgeUnknown(List<RolloutId> unknown) {
    return unknown.isEmpty()
        ? DiagnosisFinding.ok(PART, "each that runs a rollout has its row")
        : DiagnosisFinding.warning(
            PART,
            "workflows of rollouts that the database does not know: " + describe(unknown),
            "`temporal workflow terminate --workflow-id rollout/TENANT/ROLLOUT`, then create it under another name:"
                + " docs/backup.md");
  }

  private static String describe(List<?> names) {
    String count = names.size() > MAX_COUNTED ? "more than " + MAX_COUNTED : Integer.toString(names.size());
    String first = names.stream().limit(MAX_NAMES).map(String::valueOf).collect(Collectors.joining(", "));
    return "%s (%s%s)".formatted(count, first, names.size() > MAX_NAMES ? ", …" : "");
  }
}
