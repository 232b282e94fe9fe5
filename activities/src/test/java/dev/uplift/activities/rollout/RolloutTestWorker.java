package dev.uplift.activities.rollout;

import static org.awaitility.Awaitility.await;

import dev.uplift.activities.device.DeviceTestRecords;
import dev.uplift.activities.policy.PolicyReconciler;
import dev.uplift.activities.policy.PolicyRolloutStarter;
import dev.uplift.activities.policy.PolicyStepsActivities;
import dev.uplift.activities.reconciler.FailingWorkflowMonitor;
import dev.uplift.activities.temporal.PolicyScheduleClient;
import dev.uplift.activities.temporal.PolicyWorkflowClient;
import dev.uplift.activities.temporal.RequestSeal;
import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.SealCheckInterceptor;
import dev.uplift.activities.temporal.StepTimeoutResolver;
import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.activities.temporal.TemporalSettings;
import dev.uplift.activities.temporal.TemporalWorker;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.activities.temporal.UpgradeWorkflowClient;
import dev.uplift.activities.temporal.WorkflowTaskFailures;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.barrier.BarrierOutcome;
import dev.uplift.fleet.rollout.Decision;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.services.TestReleases;
import dev.uplift.services.TestStacks;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.policy.PolicyEvaluator;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.services.presence.Presence;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.rollout.RolloutRepositories;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.services.upgrade.ConcurrentStarts;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.PageRequest;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.reconciler.FailingWorkflowRepository;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.TargetFilter;
import dev.uplift.store.rollout.TargetRow;
import dev.uplift.store.tenant.TenantRepository;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.workflows.barrier.BarrierInput;
import dev.uplift.workflows.barrier.BarrierRecords;
import dev.uplift.workflows.barrier.BarrierRequest;
import dev.uplift.workflows.barrier.BarrierResult;
import dev.uplift.workflows.barrier.BarrierStatus;
import dev.uplift.workflows.barrier.BarrierSteps;
import dev.uplift.workflows.barrier.MigrationResult;
import dev.uplift.workflows.device.UpgradeTimeouts;
import dev.uplift.workflows.rollout.RolloutAction;
import dev.uplift.workflows.rollout.RolloutInput;
import dev.uplift.workflows.rollout.RolloutTimeouts;
import dev.uplift.workflows.webhook.WebhookReport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.slf4j.LoggerFactory;

/// A worker on a real Temporal of its own, with tables in memory, for rollouts over scripted hosts that are heard
/// unless a test silences them. There is no NATS.
public final class RolloutTestWorker implements AutoCloseable {
  static final Duration TIMEOUT = Duration.ofSeconds(90);
  static final Release RELEASE = new Release("os", "1.5.0");

  /// A killed worker is noticed after one heartbeat timeout.
  private static final RequestSeal SEAL = new RequestSeal("secret");

  static final RolloutTimeouts SHORT_TIMEOUTS =
      new RolloutTimeouts(Duration.ofHours(1), Duration.ofSeconds(5), Duration.ofMinutes(1));

  final ScriptedHostSteps hosts = new ScriptedHostSteps();
  final ScriptedPresence presence = new ScriptedPresence(hosts::version);
  final RolloutRepositories repositories;
  final RolloutPlanner planner;
  private final Stack stack = TestStacks.open();
  final RolloutWorkflows workflows;
  final DatabaseSettings settings = DatabaseSettings.h2InMemory();
  private final Database database = Database.open(settings);
  private final Duration pollInterval;
  private final TemporalClients temporal;
  private final UpgradeWorkflowClient upgrades;
  private final Presence withoutNats;
  private RolloutStepsActivities steps;
  private RolloutRecordsActivities records;
  private TemporalWorker worker;

  RolloutTestWorker() {
    this(RolloutStepsActivities.POLL_INTERVAL);
  }

  /// @param pollInterval how long an activity waits for a notification before it makes a pass
  RolloutTestWorker(Duration pollInterval) {
    this.pollInterval = pollInterval;
    stack.temporal().start();
    temporal = openTemporalClients(SEAL);
    upgrades = new UpgradeWorkflowClient(temporal);
    workflows = new RolloutWorkflows(temporal, stack.temporal().namespace());
    repositories = database.repository(RolloutRepositories.class);
    var rejectedMessages = new RejectedMessages(new SimpleMeterRegistry());
    var nats = new NatsConnection(TestStacks.natsSettings(stack), InstantSource.system());
    withoutNats = new Presence(nats, InstantSource.system(), Duration.ofSeconds(100), rejectedMessages);
    planner = new RolloutPlanner(repositories, presence);
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    TestReleases.publish(repositories.common(), RELEASE, 150);
    // Ensures that no selection takes all devices.
    register("bystanders", 1);
    steps = steps();
    records = new RolloutRecordsActivities(repositories, steps::notifyChanged, _ -> {});
    worker = worker();
  }

  /// Returns the connections of another server, whose secret may be another one.
  TemporalClients openTemporalClients(RequestSeal seal) {
    return new TemporalClients(
        new TemporalSettings(stack.temporal().target(), stack.temporal().namespace()), seal, new SimpleMeterRegistry());
  }

  private RolloutStepsActivities steps() {
    return new RolloutStepsActivities(
        repositories, presence, upgrades, new ConcurrentStarts(), stepTimeouts(), pollInterval);
  }

  private StepTimeoutResolver stepTimeouts() {
    return new StepTimeoutResolver(
        UpgradeTimeouts.DEFAULTS, StepTimeoutResolver.Bound.DEFAULT, repositories.common().releases());
  }

  private TemporalWorker worker() {
    return new TemporalWorker(
        temporal,
        new SealCheckInterceptor(SEAL, (_, _, what) -> LoggerFactory.getLogger(RolloutTestWorker.class).error(what)),
        hosts,
        DeviceTestRecords.create(repositories, withoutNats, steps::notifyChanged),
        steps,
        records,
        policySteps(),
        new NoBarrierSteps(),
        new NoBarrierRecords(),
        _ -> WebhookReport.disabled(0, "there are no webhooks here"));
  }

  /// No test of rollouts begins a barrier.
  private static final class NoBarrierSteps implements BarrierSteps {
    @Override
    public BarrierStatus haltHosts(BarrierInput input) {
      throw new AssertionError(input);
    }

    @Override
    public MigrationResult migrateDevice(BarrierInput input) {
      throw new AssertionError(input);
    }

    @Override
    public BarrierStatus resumeHosts(BarrierInput input) {
      throw new AssertionError(input);
    }

    @Override
    public BarrierResult end(BarrierInput input) {
      throw new AssertionError(input);
    }
  }

  private static final class NoBarrierRecords implements BarrierRecords {
    @Override
    public BarrierStatus read(BarrierInput input) {
      throw new AssertionError(input);
    }

    @Override
    public BarrierStatus recordHalted(BarrierInput input) {
      throw new AssertionError(input);
    }

    @Override
    public RecordedRequest recordRequest(BarrierInput input, BarrierRequest request) {
      throw new AssertionError(input);
    }

    @Override
    public BarrierStatus recordResuming(BarrierInput input, BarrierOutcome outcome, String message) {
      throw new AssertionError(input);
    }
  }

  PolicyRepositories policies() {
    return database.repository(PolicyRepositories.class);
  }

  PolicyStepsActivities policySteps() {
    var tables = policies();
    return new PolicyStepsActivities(
        tables,
        new PolicyEvaluator(tables, presence),
        new PolicyRolloutStarter(tables, planner, new RolloutWorkflowClient(temporal, SHORT_TIMEOUTS), presence),
        new PolicyWorkflowClient(temporal),
        new PolicyScheduleClient(temporal));
  }

  /// Registers devices with one host each, all with the label `fleet`.
  void register(String fleet, int devices) {
    for (int i = 1; i <= devices; i++) {
      register(fleet, "%s-%02d".formatted(fleet, i), "");
    }
  }

  /// Registers one device, with maintenance windows if there are any.
  void register(String fleet, String name, String windows) {
    register(name, Map.of("fleet", fleet), windows);
  }

  void register(String name, Map<String, String> labels, String windows) {
    repositories
        .common()
        .devices()
        .put(
            new DeviceSpec(
                new DeviceId(TestStacks.TENANT, name),
                List.of(new HostId(name + "-left")),
                labels,
                ZoneOffset.UTC,
                windows),
            Precondition.anything());
  }

  static RolloutPlan plan(String fleet) {
    return RolloutPlan.defaults(RELEASE, "labels.fleet == '%s'".formatted(fleet));
  }

  RolloutId create(RolloutPlan plan) {
    var id = new RolloutId(TestStacks.TENANT, "r-" + UUID.randomUUID().toString().substring(0, 8));
    PlanningResult planningResult =
        planner.create(id, new RolloutSpec("", plan, RollbackScope.DEVICE, Duration.ZERO, false), "ann");
    if (!(planningResult instanceof PlanningResult.Created)) {
      throw new IllegalStateException(planningResult.toString());
    }
    return id;
  }

  /// Creates a rollout and starts its workflow.
  RolloutId start(RolloutPlan plan) {
    RolloutId id = create(plan);
    start(id);
    return id;
  }

  void start(RolloutId id) {
    new RolloutWorkflowClient(temporal, SHORT_TIMEOUTS).start(row(id));
  }

  void recheck(RolloutId id) {
    new RolloutWorkflowClient(temporal, SHORT_TIMEOUTS).recheck(id);
  }

  UpdateResult update(RolloutId id, OperatorAction action) {
    return update(id, RolloutAction.of(UUID.randomUUID().toString(), action, "bob", "because"));
  }

  UpdateResult update(RolloutId id, RolloutAction action) {
    return new RolloutWorkflowClient(temporal, SHORT_TIMEOUTS).update(id, action);
  }

  /// Executes an action like the workflow, if none runs.
  dev.uplift.workflows.rollout.ActionResult updateWithoutWorkflow(RolloutId id, OperatorAction action) {
    return updateWithoutWorkflow(id, RolloutAction.of(UUID.randomUUID().toString(), action, "bob", ""));
  }

  dev.uplift.workflows.rollout.ActionResult updateWithoutWorkflow(RolloutId id, RolloutAction action) {
    return records.applyAction(input(id), action).result();
  }

  private static RolloutInput input(RolloutId id) {
    return new RolloutInput(id.tenant(), id.name(), RELEASE, SHORT_TIMEOUTS);
  }

  RolloutRow row(RolloutId id) {
    return repositories.rollouts().find(id).orElseThrow();
  }

  RolloutRow awaitState(RolloutId id, RolloutState state) {
    await(state.toString()).atMost(TIMEOUT).until(() -> row(id).state() == state);
    return row(id);
  }

  List<TargetRow> targets(RolloutId id) {
    return repositories.statistics().list(id, TargetFilter.ALL, PageRequest.first(1000)).rows();
  }

  long countIn(RolloutId id, TargetState state) {
    return targets(id).stream().filter(target -> target.state() == state).count();
  }

  /// Kills the server while it works on rollouts, and starts another one.
  void killAndReplace() {
    steps.shutDown();
    worker.close();
    steps = steps();
    records = new RolloutRecordsActivities(repositories, steps::notifyChanged, _ -> {});
    worker = worker();
  }

  /// Runs the reconciler, which servers run periodically.
  void runReconciler() {
    new RolloutReconciler(
            repositories,
            new RolloutWorkflowClient(temporal, SHORT_TIMEOUTS),
            failingWorkflowMonitor(new SimpleMeterRegistry()))
        .run();
  }

  /// Runs the reconciler of policies, which servers run periodically.
  void runPolicyReconciler() {
    var policyWorkflows = new PolicyWorkflowClient(temporal);
    var schedules = new PolicyScheduleClient(temporal);
    new PolicyReconciler(policies(), policyWorkflows, failingWorkflowMonitor(new SimpleMeterRegistry()), schedules)
        .run();
  }

  private FailingWorkflowMonitor failingWorkflowMonitor(SimpleMeterRegistry meters) {
    return new FailingWorkflowMonitor(failingWorkflows(), new WorkflowTaskFailures(temporal), meters);
  }

  FailingWorkflowRepository failingWorkflows() {
    return database.repository(FailingWorkflowRepository.class);
  }

  /// Returns what the metric shows after another check.
  double countFailingWorkflows() {
    var meters = new SimpleMeterRegistry();
    failingWorkflowMonitor(meters).recheck();
    return meters.get("uplift.workflows.failing").gauge().value();
  }

  /// Makes a pass of another server, which is killed before it has started any device.
  PassResult passOfKilledServer(RolloutId id) {
    return passAt(id, Instant.now());
  }

  /// As above, at another time.
  PassResult passAt(RolloutId id, Instant now) {
    return new ReconcilePass(repositories, presence, id).run(now, () -> {});
  }

  /// Makes a complete pass of another server.
  PassResult passOfAnotherServer(RolloutId id) {
    PassResult passResult = passOfKilledServer(id);
    new UpgradeLauncher(repositories, upgrades, new ConcurrentStarts(), stepTimeouts()).launch(passResult, () -> {});
    return decideAsItsWorkflow(passResult);
  }

  /// Makes the decisions that a pass leaves to the workflow, until there are none.
  private PassResult decideAsItsWorkflow(PassResult passResult) {
    PassResult result = passResult;
    while (!result.isFinished()
        && !(result.decision() instanceof Decision.Start)
        && !(result.decision() instanceof Decision.Wait)) {
      RolloutId id = result.row().id();
      var _ = records.recordDecision(input(id), result.row().currentWave(), result.decision());
      result = passOfKilledServer(id);
    }
    return result;
  }

  TemporalClients temporal() {
    return temporal;
  }

  @Override
  public void close() {
    hosts.unblock();
    steps.shutDown();
    worker.close();
    temporal.close();
    database.close();
    stack.close();
  }
}
