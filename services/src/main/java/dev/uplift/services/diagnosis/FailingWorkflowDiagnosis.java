package dev.uplift.services.diagnosis;

import dev.uplift.store.DatabaseUnavailable;
import dev.uplift.store.reconciler.FailingWorkflow;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import jakarta.inject.Singleton;
import java.util.List;

/// Checks whether workflows fail again and again.
@Singleton
public final class FailingWorkflowDiagnosis implements DiagnosisCheck {
  private static final String PART = "workflows";

  private final FailingWorkflowRepository failingWorkflows;

  public FailingWorkflowDiagnosis(FailingWorkflowRepository failingWorkflows) {
    this.failingWorkflows = failingWorkflows;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    try {
      List<FailingWorkflow> first = failingWorkflows.list(1);
      return first.isEmpty()
          ? List.of(DiagnosisFinding.ok(PART, "all of them continue"))
          : List.of(describe(first.getFirst(), failingWorkflows.countAll()));
    } catch (DatabaseUnavailable _) {
      return List.of(DiagnosisFinding.warning(PART, "not known without the database", "see database"));
    }
  }

  private static DiagnosisFinding describe(FailingWorkflow first, long all) {
    return DiagnosisFinding.critical(
        PART,
        "%d do not continue, the first of them %s since %s: %s"
            .formatted(all, first.workflowId(), first.failingSince(), first.error()),
        "docs/operating.md, \"When a workflow does not continue\": `temporal workflow describe`, then mend or terminate");
  }
}
