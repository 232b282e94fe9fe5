package dev.uplift.activities.temporal;

import dev.uplift.workflows.Payloads;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowServiceException;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The connections of this process to Temporal. Opening them never fails and never waits.
///
/// There are two, for they have opposite wishes: a worker waits for Temporal for as long as it
/// takes, while a request of a person and a message from a host are better told soon that it is
/// away.
@Singleton
public final class TemporalClients implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

  private final WorkflowServiceStubs forWorker;
  private final WorkflowServiceStubs forRequests;
  private final WorkflowClient workerClient;
  private final WorkflowClient requestClient;

  public TemporalClients(TemporalSettings settings) {
    WorkflowServiceStubsOptions patient =
        WorkflowServiceStubsOptions.newBuilder()
            .setTarget(settings.target())
            // It is near: a few bytes less cost both sides more than they save.
            .setGrpcCompression(GrpcCompression.NONE)
            .build();
    WorkflowServiceStubsOptions brisk =
        WorkflowServiceStubsOptions.newBuilder(patient)
            .setRpcTimeout(REQUEST_TIMEOUT)
            .setRpcRetryOptions(
                RpcRetryOptions.newBuilder()
                    .setInitialInterval(Duration.ofMillis(100))
                    .setExpiration(REQUEST_TIMEOUT)
                    .validateBuildWithDefaults())
            .build();
    this.forWorker = WorkflowServiceStubs.newServiceStubs(patient);
    this.forRequests = WorkflowServiceStubs.newServiceStubs(brisk);
    this.workerClient = client(forWorker, settings);
    this.requestClient = client(forRequests, settings);
  }

  private static WorkflowClient client(WorkflowServiceStubs stubs, TemporalSettings settings) {
    return WorkflowClient.newInstance(
        stubs, Payloads.clientOptions().toBuilder().setNamespace(settings.namespace()).build());
  }

  /// For a worker alone.
  public WorkflowClient workerClient() {
    return workerClient;
  }

  /// For everything that should know within seconds.
  public WorkflowClient requestClient() {
    return requestClient;
  }

  /// Whether Temporal answers; for readiness. Returns within seconds, never throws.
  public boolean isReachable() {
    try {
      forRequests.healthCheck();
      return true;
    } catch (StatusRuntimeException _) {
      return false;
    }
  }

  /// The call, whose trouble with Temporal becomes [TemporalUnavailable].
  static <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (WorkflowServiceException | StatusRuntimeException | ActivityCompletionException e) {
      throw unavailable(e);
    }
  }

  static TemporalUnavailable unavailable(RuntimeException e) {
    return new TemporalUnavailable("Temporal does not answer: " + describe(e), e);
  }

  static String describe(@Nullable Throwable e) {
    for (Throwable cause = e; cause != null; cause = cause.getCause()) {
      if (cause instanceof StatusRuntimeException status) {
        Status said = status.getStatus();
        return said.getCode() + (said.getDescription() == null ? "" : ", " + said.getDescription());
      }
    }
    return String.valueOf(e);
  }

  @Override
  public void close() {
    forWorker.shutdownNow();
    forRequests.shutdownNow();
    forWorker.awaitTermination(REQUEST_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    forRequests.awaitTermination(REQUEST_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
  }
}
