package dev.uplift.activities.temporal;

import com.google.protobuf.ByteString;
import io.temporal.api.common.v1.Payload;
import io.temporal.client.WorkflowUpdateHandle;
import io.temporal.common.interceptors.Header;
import io.temporal.common.interceptors.WorkflowClientCallsInterceptor;
import io.temporal.common.interceptors.WorkflowClientCallsInterceptorBase;
import io.temporal.common.interceptors.WorkflowClientInterceptorBase;
import java.time.Instant;
import java.util.Optional;

/// Seals every start, with a signal or without, and every Update that this server sends.
final class SealingInterceptor extends WorkflowClientInterceptorBase {
  private static final String HEADER = "uplift-seal";

  private final RequestSeal seal;

  SealingInterceptor(RequestSeal seal) {
    this.seal = seal;
  }

  /// Returns the seal of a request; empty if there is none.
  static Optional<String> read(Header header) {
    return Optional.ofNullable(header.getValues().get(HEADER)).map(payload -> payload.getData().toStringUtf8());
  }

  static void write(Header header, String seal) {
    header
        .getValues()
        .put(
            HEADER,
            Payload.newBuilder()
                .putMetadata("encoding", ByteString.copyFromUtf8("binary/plain"))
                .setData(ByteString.copyFromUtf8(seal))
                .build());
  }

  @Override
  public WorkflowClientCallsInterceptor workflowClientCallsInterceptor(WorkflowClientCallsInterceptor next) {
    return new WorkflowClientCallsInterceptorBase(next) {
      @Override
      public WorkflowStartOutput start(WorkflowStartInput input) {
        sealStart(input);
        return super.start(input);
      }

      @Override
      public WorkflowSignalWithStartOutput signalWithStart(WorkflowSignalWithStartInput input) {
        sealStart(input.getWorkflowStartInput());
        return super.signalWithStart(input);
      }

      private void sealStart(WorkflowStartInput input) {
        write(input.getHeader(), seal.sealStart(input.getWorkflowId(), input.getWorkflowType(), input.getArguments()));
      }

      @Override
      public <R> WorkflowUpdateHandle<R> startUpdate(StartUpdateInput<R> input) {
        write(
            input.getHeader(),
            seal.sealUpdate(
                input.getWorkflowExecution().getWorkflowId(),
                input.getWorkflowExecution().getRunId(),
                input.getUpdateName(),
                input.getArguments(),
                Instant.now()));
        return super.startUpdate(input);
      }
    };
  }
}
