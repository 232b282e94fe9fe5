package dev.uplift.workflows.rollout;

import com.google.protobuf.ByteString;
import dev.uplift.workflows.Payloads;
import io.temporal.api.common.v1.Payload;
import io.temporal.api.history.v1.HistoryEvent;
import io.temporal.common.WorkflowExecutionHistory;
import io.temporal.common.converter.DataConverter;
import java.util.List;
import java.util.Optional;

/// Formats the history of a workflow as text, as shown in Temporal Web UI, one event per line.
final class HistoryStory {
  private static final DataConverter CONVERTER = Payloads.clientOptions().getDataConverter();

  private HistoryStory() {}

  static List<String> of(WorkflowExecutionHistory history) {
    return history.getEvents().stream().flatMap(event -> line(event).stream()).toList();
  }

  private static Optional<String> line(HistoryEvent event) {
    return switch (event.getEventType()) {
      case EVENT_TYPE_WORKFLOW_EXECUTION_STARTED -> Optional.of("started: " + summary(event));
      case EVENT_TYPE_ACTIVITY_TASK_SCHEDULED ->
          Optional.of(
              event.getActivityTaskScheduledEventAttributes().getActivityType().getName() + ": " + summary(event));
      case EVENT_TYPE_MARKER_RECORDED -> Optional.of("- " + summary(event));
      case EVENT_TYPE_TIMER_STARTED -> Optional.of("timer: " + summary(event));
      case EVENT_TYPE_TIMER_FIRED -> Optional.of("timer fired");
      case EVENT_TYPE_WORKFLOW_EXECUTION_UPDATE_ACCEPTED -> Optional.of("update accepted");
      case EVENT_TYPE_WORKFLOW_EXECUTION_CANCEL_REQUESTED -> Optional.of("cancel requested");
      case EVENT_TYPE_WORKFLOW_EXECUTION_COMPLETED -> Optional.of("completed");
      case EVENT_TYPE_WORKFLOW_EXECUTION_FAILED ->
          Optional.of(
              "failed: "
                  + event.getWorkflowExecutionFailedEventAttributes().getFailure().getApplicationFailureInfo().getType()
                  + ": "
                  + event.getWorkflowExecutionFailedEventAttributes().getFailure().getMessage());
      default -> Optional.empty();
    };
  }

  private static String summary(HistoryEvent event) {
    Payload payload = event.getUserMetadata().getSummary();
    return payload.getData().equals(ByteString.EMPTY) ? "" : CONVERTER.fromPayload(payload, String.class, String.class);
  }
}
