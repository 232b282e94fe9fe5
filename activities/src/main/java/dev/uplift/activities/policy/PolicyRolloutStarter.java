package dev.uplift.activities.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.activities.rollout.LateJoiners;
import dev.uplift.activities.temporal.ActivityFailures;
import dev.uplift.activities.temporal.RolloutWorkflowClient;
import dev.uplift.activities.temporal.TemporalUnavailable;
import dev.uplift.activities.temporal.UpdateResult;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.rollout.OperatorAction;
import dev.uplift.fleet.rollout.Phrases;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.plan.PlanViolation;
import dev.uplift.services.policy.PolicyEvaluation;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicyRepositories;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.rollout.PlanningResult;
import dev.uplift.services.rollout.RolloutJson;
import dev.uplift.services.rollout.RolloutPlanner;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.audit.AuditEntry;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.workflows.rollout.RolloutAction;
import jakarta.inject.Singleton;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Begins what an evaluation has found to be due, by rollouts: one open at a time for each release. Devices that come
/// later join the open one; a rollout to another release is aborted softly, so what it has begun ends.
@Singleton
public final class PolicyRolloutStarter {
  private static final Logger LOG = LoggerFactory.getLogger(PolicyRolloutStarter.class);

  /// Of the 32 characters that the id of a rollout may have.
  private static final int NAME_CHARS = 16;

  private static final int HASH_CHARS = 6;

  /// Devices of one action: all of them are the argument of one Update, of at most 2 MB.
  private static final int MAX_SKIPPED = 500;

  private final PolicyRepositories tables;
  private final RolloutPlanner planner;
  private final RolloutWorkflowClient workflows;
  private final LateJoiners lateJoiners;

  public PolicyRolloutStarter(
      PolicyRepositories tables, RolloutPlanner planner, RolloutWorkflowClient workflows, HostPresence presence) {
    this.tables = tables;
    this.planner = planner;
    this.workflows = workflows;
    this.lateJoiners = new LateJoiners(tables.rollouts(), presence);
  }

  /// What was done.
  ///
  /// @param message for people
  /// @param isIncomplete whether a rollout has refused something that has to be asked of it again
  record Begun(String message, boolean isIncomplete) {
    static Begun of(String message) {
      return new Begun(message, false);
    }
  }

  /// Stops the rollouts of a policy that is disabled or deleted. Returns what was done, for people.
  String stopAll(PolicyId policy) {
    List<RolloutRow> open = tables.ofPolicies().findOpen(policy);
    open.forEach(row -> abort(policy, row, "the policy is disabled or deleted"));
    return open.isEmpty() ? "disabled or deleted" : "disabled or deleted; stopped: " + names(open);
  }

  /// Begins what is due, and stops what is not wanted any more.
  Begun begin(PolicyRow policy, PolicyEvaluation evaluation) {
    if (evaluation.release().isEmpty()) {
      return Begun.of(evaluation.missing().orElse(""));
    }
    Release release = evaluation.release().get();
    List<String> done = new ArrayList<>();
    List<RolloutRow> open = new ArrayList<>(tables.ofPolicies().findOpen(policy.id()));
    for (RolloutRow row : open) {
      obsoleteReason(policy, row, release)
          .ifPresent(reason -> {
            abort(policy.id(), row, reason);
            done.add("rollout %s is %s".formatted(row.name(), reason));
          });
    }
    Optional<RolloutRow> current =
        open.stream()
            .filter(row -> obsoleteReason(policy, row, release).isEmpty() && row.state() != RolloutState.ABORTING)
            .findFirst();
    Optional<Begun> skipped =
        current
            .filter(_ -> !evaluation.withdrawn().isEmpty())
            .map(row -> skip(policy.id(), row, evaluation.withdrawn()));
    skipped.map(Begun::message).ifPresent(done::add);
    if (!evaluation.due().isEmpty()) {
      done.add(
          current.map(row -> join(policy, row, evaluation.due())).orElseGet(() -> start(policy, release, evaluation)));
    }
    return new Begun(
        done.isEmpty() ? "nothing to begin" : String.join("; ", done), skipped.filter(Begun::isIncomplete).isPresent());
  }

  /// Why an open rollout is not the one that the policy would start now. Windows are promises to those who work at a
  /// site, so other ones count at once; so does whether a host may run something newer, which each upgrade is told.
  /// Other rules can be given to an open rollout by themselves.
  private static Optional<String> obsoleteReason(PolicyRow policy, RolloutRow row, Release release) {
    if (!row.release().equals(release)) {
      return Optional.of("superseded by " + release);
    }
    RolloutSpec wanted = PolicyJson.read(policy.spec()).rollout();
    RolloutSpec begun = RolloutJson.readSpec(row.plan());
    if (!begun.plan().windows().equals(wanted.plan().windows())
        || !begun.plan().window().equals(wanted.plan().window())) {
      return Optional.of("superseded by other windows");
    }
    return begun.allowDowngrade() == wanted.allowDowngrade()
        ? Optional.empty()
        : Optional.of("superseded by another rule for downgrades");
  }

  /// The selection of the policy may have changed since the rollout was begun; that of the rollout is of no account.
  private String join(PolicyRow policy, RolloutRow row, List<String> devices) {
    RolloutSpec begun = RolloutJson.readSpec(row.plan());
    String selection = PolicyJson.read(policy.spec()).selection();
    int joined = lateJoiners.addTo(row, begun.withPlan(begun.plan().withSelection(selection)), devices);
    recheck(row.id());
    int left = devices.size() - joined;
    return "%s in rollout %s".formatted(Phrases.devices(joined), row.name())
        + (left > 0 ? ", not %s that it cannot take".formatted(Phrases.devices(left)) : "");
  }

  /// Best effort: the rollout looks for devices by itself.
  private void recheck(RolloutId id) {
    try {
      workflows.recheck(id);
    } catch (TemporalUnavailable e) {
      LOG.info("rollout {} looks for new devices by itself: {}", id, e.getMessage());
    }
  }

  private String start(PolicyRow policy, Release release, PolicyEvaluation evaluation) {
    RolloutSpec spec = PolicyJson.read(policy.spec()).rolloutOf(policy.name(), release, policy.priority());
    RolloutId id = nextId(policy.id(), release);
    PlanningResult result =
        tables.rollouts().database().inTransaction(() -> create(policy, id, spec, evaluation.due()));
    return switch (result) {
      case PlanningResult.Created(RolloutRow row) -> {
        startWorkflow(row);
        yield "rollout %s is started, with %s".formatted(id.name(), Phrases.devices(evaluation.due().size()));
      }
      case PlanningResult.AlreadyExists(RolloutRow row) -> {
        startWorkflow(row);
        yield "rollout %s is started".formatted(id.name());
      }
      case PlanningResult.Invalid(List<PlanViolation> violations) ->
          "no rollout can be started: "
              + violations.stream().map(PlanViolation::message).collect(Collectors.joining("; "));
      case PlanningResult.Previewed _, PlanningResult.DraftNotFound _ ->
          throw new IllegalStateException("expected a stored rollout: " + result);
    };
  }

  private PlanningResult create(PolicyRow policy, RolloutId id, RolloutSpec spec, List<String> devices) {
    requireUnchanged(policy);
    PlanningResult result = planner.create(id, spec, devices, policy.id().actor());
    if (result instanceof PlanningResult.Created(RolloutRow row)) {
      tables.ofPolicies().setPolicy(id, policy.id());
      tables
          .rollouts()
          .audit()
          .append(
              new AuditEntry(
                  id.tenant(), policy.id().actor(), "rollout.create", "rollout/" + id.name(), "", row.plan()));
    }
    return result;
  }

  /// Devices were looked at for some time, perhaps by a server that was cut off meanwhile: a policy that is disabled or
  /// deleted begins nothing any more, and one that asks for something else looks again.
  private void requireUnchanged(PolicyRow policy) {
    Optional<PolicyRow> now = tables.policies().lock(policy.id());
    if (now.filter(row -> row.version() == policy.version()).isEmpty()) {
      throw ActivityFailures.retryable("PolicyChanged", "the policy has changed while its devices were looked at")
          .build();
    }
  }

  /// The rows say that it has to run: what is not started now, the reconciler of rollouts starts.
  private void startWorkflow(RolloutRow row) {
    try {
      if (row.endedAt().isEmpty()) {
        workflows.start(row);
      }
    } catch (TemporalUnavailable e) {
      LOG.warn("rollout {} is recorded and starts later: {}", row.id(), e.getMessage());
    }
  }

  /// The same until a rollout with it exists, so that a repeated activity creates none twice.
  private RolloutId nextId(PolicyId policy, Release release) {
    String name = policy.name().substring(0, Math.min(policy.name().length(), NAME_CHARS));
    String hash = hash(policy.name() + "\n" + release).substring(0, HASH_CHARS);
    int number = tables.ofPolicies().count(policy, release) + 1;
    RolloutId id = policy.rollout("%s-%s-%d".formatted(name, hash, number));
    while (tables.rollouts().rollouts().find(id).filter(row -> row.endedAt().isPresent()).isPresent()) {
      // Some of its rollouts are in the archive by now.
      number++;
      id = policy.rollout("%s-%s-%d".formatted(name, hash, number));
    }
    return id;
  }

  private static String hash(String text) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// A rollout whose workflow was not started yet, or was terminated, is told when the reconciler has started it.
  private void abort(PolicyId policy, RolloutRow row, String reason) {
    if (row.state() == RolloutState.ABORTING) {
      return;
    }
    RolloutAction abort = action("policy-abort-" + row.name(), OperatorAction.ABORT, policy, reason, List.of());
    if (act(row, abort) instanceof UpdateResult.NotRunning && isOpen(row.id())) {
      throw ActivityFailures.retryable("RolloutNotRunning", "rollout %s does not run yet".formatted(row.name()))
          .build();
    }
  }

  private boolean isOpen(RolloutId id) {
    return tables.rollouts().rollouts().find(id).filter(row -> row.endedAt().isEmpty()).isPresent();
  }

  /// The id of each action is of the devices in it and of the rollout as it is, so that one that is repeated leaves out
  /// nothing twice, and a device that came back can be left out again.
  private Begun skip(PolicyId policy, RolloutRow row, List<String> devices) {
    int skipped = 0;
    for (int first = 0; first < devices.size(); first += MAX_SKIPPED) {
      List<String> batch = devices.subList(first, Math.min(first + MAX_SKIPPED, devices.size()));
      String id = "policy-skip-" + hash(row.name() + row.revision() + batch).substring(0, 32);
      UpdateResult result =
          act(row, action(id, OperatorAction.SKIP_DEVICE, policy, "the policy does not decide for it any more", batch));
      int left = tables.ofPolicies().countSkipped(row.id(), batch);
      skipped += left;
      if (left == 0) {
        return new Begun(notSkipped(row, devices.size() - skipped, result), isOpen(row.id()));
      }
    }
    return Begun.of("left out of rollout %s: %s".formatted(row.name(), Phrases.devices(skipped)));
  }

  private static String notSkipped(RolloutRow row, int devices, UpdateResult result) {
    return "rollout %s leaves %s in: %s"
        .formatted(
            row.name(),
            Phrases.devices(devices),
            switch (result) {
              case UpdateResult.Rejected(String why) -> why;
              case UpdateResult.Completed(String sentence) -> sentence;
              case UpdateResult.NotRunning() -> "it does not run";
            });
  }

  private static RolloutAction action(
      String id, OperatorAction action, PolicyId policy, String reason, List<String> devices) {
    return new RolloutAction(
        id,
        action,
        policy.actor(),
        reason,
        Optional.empty(),
        devices,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  private UpdateResult act(RolloutRow row, RolloutAction action) {
    UpdateResult result = workflows.update(row.id(), action);
    if (result instanceof UpdateResult.Rejected(String why)) {
      LOG.info("rollout {} refuses {}: {}", row.id(), action.action(), why);
    }
    return result;
  }

  private static String names(List<RolloutRow> rows) {
    return rows.stream().map(RolloutRow::name).collect(Collectors.joining(", "));
  }
}
