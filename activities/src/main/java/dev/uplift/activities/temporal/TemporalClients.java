package dev.uplift.activities.temporal;

import com.uber.m3.tally.RootScopeBuilder;
import dev.uplift.services.tracing.SpanRecorder;
import dev.uplift.workflows.Payloads;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.micrometer.core.instrument.MeterRegistry;
import io.temporal.api.common.v1.WorkflowExecution;
import io.temporal.api.enums.v1.WorkflowExecutionStatus;
import io.temporal.client.ActivityCompletionException;
import io.temporal.client.BatchRequest;
import io.temporal.client.WorkflowClient;
import io.temporal.client.WorkflowExecutionAlreadyStarted;
import io.temporal.client.WorkflowNotFoundException;
import io.temporal.client.WorkflowServiceException;
import io.temporal.client.schedules.ScheduleClient;
import io.temporal.client.schedules.ScheduleClientOptions;
import io.temporal.common.interceptors.Header;
import io.temporal.common.reporter.MicrometerClientStatsReporter;
import io.temporal.serviceclient.GrpcCompression;
import io.temporal.serviceclient.RpcRetryOptions;
import io.temporal.serviceclient.WorkflowServiceStubs;
import io.temporal.serviceclient.WorkflowServiceStubsOptions;
import io.temporal.workflow.Functions;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.HashMap;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// The connections of this process to Temporal. Opening them never fails and never waits.
///
/// There are two because a worker waits for Temporal for as long as it takes, while requests of people and messages
/// from hosts have to fail soon if it is unavailable.
@Singleton
public final class TemporalClients implements AutoCloseable {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(15);
  private static final com.uber.m3.util.Duration METRICS_INTERVAL = com.uber.m3.util.Duration.ofSeconds(10);

  private final TemporalTracing tracing;
  private final WorkflowServiceStubs forWorker;
  private final WorkflowServiceStubs forRequests;
  private final WorkflowClient workerClient;
  private final WorkflowClient requestClient;
  private final ScheduleClient scheduleClient;
  private final RequestSeal seal;

  /// @param seal proves to the workers what this server sends
  /// @param meters receives the metrics of Temporal's client and workers, with names that begin with `temporal.`
  @Inject
  public TemporalClients(TemporalSettings settings, RequestSeal seal, MeterRegistry meters, SpanRecorder tracing) {
    this.tracing = new TemporalTracing(tracing);
    WorkflowServiceStubsOptions patient = connection(settings, meters);
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
    this.workerClient = client(forWorker, settings, seal);
    this.requestClient = client(forRequests, settings, seal);
    this.scheduleClient =
        ScheduleClient.newInstance(
            forRequests,
            ScheduleClientOptions.newBuilder()
                .setNamespace(settings.namespace())
                .setDataConverter(Payloads.clientOptions().getDataConverter())
                .build());
    this.seal = seal;
  }

  /// Without tracing.
  public TemporalClients(TemporalSettings settings, RequestSeal seal, MeterRegistry meters) {
    this(settings, seal, meters, SpanRecorder.off());
  }

  private static WorkflowServiceStubsOptions connection(TemporalSettings settings, MeterRegistry meters) {
    WorkflowServiceStubsOptions.Builder options =
        WorkflowServiceStubsOptions.newBuilder()
            .setTarget(settings.target())
            .setMetricsScope(
                new RootScopeBuilder()
                    .reporter(new MicrometerClientStatsReporter(meters))
                    .reportEvery(METRICS_INTERVAL))
            // It is near: compression costs both sides more than it saves.
            .setGrpcCompression(GrpcCompression.NONE);
    settings.tls().ifPresent(tls -> options.setSslContext(tls.context()));
    settings.apiKey().ifPresent(key -> options.addApiKey(key::get));
    return options.build();
  }

  private WorkflowClient client(WorkflowServiceStubs stubs, TemporalSettings settings, RequestSeal seal) {
    return WorkflowClient.newInstance(
        stubs,
        Payloads.clientOptions().toBuilder()
            .setNamespace(settings.namespace())
            .setInterceptors(tracing.clientInterceptors(new SealingInterceptor(seal)))
            .build());
  }

  /// For workers only.
  public WorkflowClient workerClient() {
    return workerClient;
  }

  TemporalTracing tracing() {
    return tracing;
  }

  /// For everything that has to fail within seconds.
  public WorkflowClient requestClient() {
    return requestClient;
  }

  /// For schedules, which start workflows long after the request. What they start has to carry [#sealOfStart].
  ScheduleClient scheduleClient() {
    return scheduleClient;
  }

  /// Returns the header with which a schedule starts a workflow.
  ///
  /// @param workflowId without the time that the schedule appends
  Header sealOfStart(String workflowId, String type, Object... input) {
    Header header = new Header(new HashMap<>());
    SealingInterceptor.write(header, seal.sealStart(workflowId, type, input));
    return header;
  }

  /// Returns whether Temporal answers; for readiness. Returns within seconds, never throws.
  public boolean isReachable() {
    try {
      forRequests.healthCheck();
      return true;
    } catch (StatusRuntimeException _) {
      return false;
    }
  }

  /// Returns what `call` returns; failures of the connection become [TemporalUnavailable].
  public static <T> T call(Supplier<T> call) {
    try {
      return call.get();
    } catch (WorkflowServiceException | StatusRuntimeException | ActivityCompletionException e) {
      throw unavailable(e);
    } catch (IllegalArgumentException e) {
      throw isExpired(e) ? new TemporalUnavailable("Temporal does not answer: the time for it is over", e) : e;
    }
  }

  /// Returns whether this is what the SDK throws when the time of a call is over before it has learnt what the server
  /// can do, which it asks once per connection (1.38: it sets the time that is left, less than nothing, and refuses
  /// it).
  private static boolean isExpired(IllegalArgumentException e) {
    return Objects.requireNonNullElse(e.getMessage(), "").startsWith("invalid expiration");
  }

  /// As [#call], within a time that a person waits: workflows answer in milliseconds unless no worker runs.
  public static <T> T callWithTimeout(Supplier<T> call) {
    CompletableFuture<T> answer =
        CompletableFuture.supplyAsync(() -> call(call), command -> Thread.ofVirtual().start(command));
    try {
      return answer.get(ANSWER_TIMEOUT.toSeconds(), TimeUnit.SECONDS);
    } catch (TimeoutException e) {
      throw new TemporalUnavailable("no worker answers", e);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException known ? known : new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TemporalUnavailable("interrupted", e);
    }
  }

  /// Starts a workflow by that call, unless one with its id runs already or may not run again. Safe to repeat.
  ///
  /// @throws TemporalUnavailable if it is unknown whether it was started
  public static void startUnlessStarted(Supplier<WorkflowExecution> start) {
    call(() -> {
      try {
        return start.get();
      } catch (WorkflowExecutionAlreadyStarted e) {
        return e.getExecution();
      }
    });
  }

  /// Signals a workflow by that call. Returns false, and has done nothing, if it does not run.
  ///
  /// @throws TemporalUnavailable if it is unknown whether it was signalled
  public static boolean signalIfRunning(Runnable signal) {
    return call(() -> {
      try {
        signal.run();
        return true;
      } catch (WorkflowNotFoundException _) {
        return false;
      }
    });
  }

  /// Signals a workflow, and starts it first if it does not run. Safe to repeat if the signal is.
  ///
  /// @param run the method of a stub of `client` that starts it with `input`
  /// @param signal a method of the stub
  /// @throws TemporalUnavailable if it is unknown whether it was signalled
  public static <I> void signalWithStart(
      WorkflowClient client, Functions.Proc1<I> run, I input, Functions.Proc signal) {
    call(() -> {
      BatchRequest request = client.newSignalWithStartRequest();
      request.add(run, input);
      request.add(signal);
      return client.signalWithStart(request);
    });
  }

  /// Returns whether a workflow with that id runs now.
  ///
  /// @throws TemporalUnavailable if that is not known
  public static boolean isRunning(WorkflowClient client, String workflowId) {
    return call(() -> {
      try {
        return client.newUntypedWorkflowStub(workflowId).describe().getStatus()
            == WorkflowExecutionStatus.WORKFLOW_EXECUTION_STATUS_RUNNING;
      } catch (WorkflowNotFoundException _) {
        return false;
      }
    });
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
