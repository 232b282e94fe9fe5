package dev.uplift.activities.temporal;

import dev.uplift.services.diagnosis.DiagnosisCheck;
import dev.uplift.services.diagnosis.DiagnosisFinding;
import dev.uplift.workflows.SearchAttributeKeys;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.api.workflowservice.v1.CountWorkflowExecutionsRequest;
import io.temporal.api.workflowservice.v1.DescribeNamespaceRequest;
import io.temporal.api.workflowservice.v1.GetSystemInfoRequest;
import io.temporal.api.workflowservice.v1.WorkflowServiceGrpc.WorkflowServiceBlockingStub;
import io.temporal.client.WorkflowClient;
import io.temporal.common.SearchAttributeKey;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Checks whether Temporal answers, its namespace and search attributes, and whether a server polls each task queue.
@Singleton
public final class TemporalDiagnosis implements DiagnosisCheck {
  private static final String PART = "temporal";

  /// A server that was off for a weekend still finds how its upgrades have ended.
  private static final Duration LEAST_RETENTION = Duration.ofDays(3);

  private final TemporalClients temporal;

  public TemporalDiagnosis(TemporalClients temporal) {
    this.temporal = temporal;
  }

  @Override
  public List<DiagnosisFinding> diagnose() {
    WorkflowClient client = temporal.requestClient();
    try {
      return check(client);
    } catch (StatusRuntimeException e) {
      return List.of(
          e.getStatus().getCode() == Status.Code.NOT_FOUND
              ? DiagnosisFinding.critical(
                  PART,
                  "it has no namespace " + client.getOptions().getNamespace(),
                  "`temporal operator namespace create --retention 168h`, or correct UPLIFT_TEMPORAL_NAMESPACE")
              : DiagnosisFinding.critical(
                  PART,
                  "it does not answer: " + TemporalClients.describe(e),
                  "start Temporal, or correct UPLIFT_TEMPORAL_ADDRESS and its certificates; upgrades then continue"));
    }
  }

  private static List<DiagnosisFinding> check(WorkflowClient client) {
    WorkflowServiceBlockingStub stub = client.getWorkflowServiceStubs().blockingStub();
    String namespace = client.getOptions().getNamespace();
    List<DiagnosisFinding> findings = new ArrayList<>();
    findings.add(
        DiagnosisFinding.ok(
            PART,
            "Temporal %s answers"
                .formatted(stub.getSystemInfo(GetSystemInfoRequest.getDefaultInstance()).getServerVersion())));
    var config =
        stub.describeNamespace(DescribeNamespaceRequest.newBuilder().setNamespace(namespace).build()).getConfig();
    Duration retention = Duration.ofSeconds(config.getWorkflowExecutionRetentionTtl().getSeconds());
    findings.add(judgeRetention(retention));
    findings.add(
        judgeAttributes(
            SearchAttributeKeys.ALL.stream()
                .map(SearchAttributeKey::getName)
                .filter(name -> !isKnown(stub, namespace, name))
                .toList()));
    findings.add(judgeQueues(TaskQueueMonitor.listUnpolled(client)));
    return findings;
  }

  static DiagnosisFinding judgeRetention(Duration retention) {
    return retention.compareTo(LEAST_RETENTION) < 0
        ? DiagnosisFinding.warning(
            PART,
            "it forgets workflows %d h after their end".formatted(retention.toHours()),
            "`temporal operator namespace update --retention 168h`: seven days")
        : DiagnosisFinding.ok(PART, "it keeps workflows for %d days after their end".formatted(retention.toDays()));
  }

  /// Asks by a query, because servers need no right to list search attributes.
  private static boolean isKnown(WorkflowServiceBlockingStub stub, String namespace, String attribute) {
    try {
      var _ =
          stub.countWorkflowExecutions(
              CountWorkflowExecutionsRequest.newBuilder()
                  .setNamespace(namespace)
                  .setQuery("WorkflowType = 'none' AND " + attribute + " = 'none'")
                  .build());
      return true;
    } catch (StatusRuntimeException e) {
      if (e.getStatus().getCode() == Status.Code.INVALID_ARGUMENT) {
        return false;
      }
      throw e;
    }
  }

  static DiagnosisFinding judgeAttributes(List<String> missing) {
    return missing.isEmpty()
        ? DiagnosisFinding.ok(PART, "it has all search attributes")
        : DiagnosisFinding.critical(
            PART,
            "it has no search attribute %s, so no workflow starts".formatted(String.join(", ", missing)),
            "`temporal operator search-attribute create%s`".formatted(options(missing)));
  }

  private static String options(List<String> missing) {
    var options = new StringBuilder();
    missing.forEach(name -> options.append(" --name ").append(name).append(" --type Keyword"));
    return options.toString();
  }

  static DiagnosisFinding judgeQueues(List<String> unpolled) {
    return Optional.of(unpolled)
        .filter(queues -> !queues.isEmpty())
        .map(queues ->
            DiagnosisFinding.critical(
                PART,
                "no server takes tasks of " + String.join(", ", queues),
                "start a server of the role worker; if one runs, its log says why it does not poll"))
        .orElseGet(() -> DiagnosisFinding.ok(PART, "servers take the tasks of each queue"));
  }
}
