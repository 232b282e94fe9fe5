package dev.uplift.workflows.device;

import com.google.protobuf.Duration;
import com.google.protobuf.util.Durations;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptor;
import io.grpc.ForwardingClientCall.SimpleForwardingClientCall;
import io.grpc.MethodDescriptor;
import io.temporal.api.command.v1.Command;
import io.temporal.api.workflowservice.v1.RespondWorkflowTaskCompletedRequest;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import java.util.List;

/// Makes every time-out of an activity end. The test server retries an activity for ever if its schedule-to-close
/// time-out ends at a whole second, as one in a thousand does by chance. The SDK sends whole milliseconds; here each
/// time-out is a microsecond longer.
final class TimeoutsThatEnd implements ClientInterceptor {
  static final WorkflowServiceStubsOptions OPTIONS =
      WorkflowServiceStubsOptions.newBuilder().setGrpcClientInterceptors(List.of(new TimeoutsThatEnd())).build();

  private static final Duration LONGER = Durations.fromMicros(1);

  private TimeoutsThatEnd() {}

  @Override
  public <Q, R> ClientCall<Q, R> interceptCall(MethodDescriptor<Q, R> method, CallOptions callOptions, Channel next) {
    return new SimpleForwardingClientCall<>(next.newCall(method, callOptions)) {
      @Override
      @SuppressWarnings("unchecked") // It is of the type that it was.
      public void sendMessage(Q message) {
        super.sendMessage(
            message instanceof RespondWorkflowTaskCompletedRequest completed ? (Q) extend(completed) : message);
      }
    };
  }

  private static RespondWorkflowTaskCompletedRequest extend(RespondWorkflowTaskCompletedRequest completed) {
    RespondWorkflowTaskCompletedRequest.Builder extended = completed.toBuilder();
    extended.getCommandsBuilderList().stream()
        .filter(Command.Builder::hasScheduleActivityTaskCommandAttributes)
        .map(Command.Builder::getScheduleActivityTaskCommandAttributesBuilder)
        .filter(activity -> Durations.isPositive(activity.getScheduleToCloseTimeout()))
        .forEach(activity ->
            activity.setScheduleToCloseTimeout(Durations.add(activity.getScheduleToCloseTimeout(), LONGER)));
    return extended.build();
  }
}
