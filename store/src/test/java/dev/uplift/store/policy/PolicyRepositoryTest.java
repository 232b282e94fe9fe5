package dev.uplift.store.policy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.rollout.RolloutOutcome;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.DatabaseScenario;
import dev.uplift.store.NoSuchTenant;
import dev.uplift.store.PageRequest;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.NewTargetResult;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutRepository;
import dev.uplift.store.rollout.RolloutRow;
import dev.uplift.store.rollout.RolloutTargetRepository;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class PolicyRepositoryTest extends DatabaseScenario {
  private static final Release RELEASE = new Release("os", "1.5.0");

  private PolicyRepository policies = database.repository(PolicyRepository.class);
  private PolicyEvaluationRepository evaluations = database.repository(PolicyEvaluationRepository.class);
  private PolicyRollouts rollouts = database.repository(PolicyRollouts.class);

  @BeforeEach
  void open() {
    policies = database.repository(PolicyRepository.class);
    evaluations = database.repository(PolicyEvaluationRepository.class);
    rollouts = database.repository(PolicyRollouts.class);
  }

  @Test
  void aNewPolicyIsDisabledAndChangesRaiseItsVersion() {
    PolicyRow created = put("north", "os", "{1}");
    PolicyRow same = put("north", "os", "{1}");
    PolicyRow changed = put("north", "os", "{2}");

    assertThat(created.enabled()).isFalse();
    assertThat(created.enabledAt()).isEmpty();
    assertThat(created.version()).isEqualTo(1);
    assertThat(same).isEqualTo(created);
    assertThat(changed.version()).isEqualTo(2);
    assertThat(policies.find(created.id())).contains(changed);
    assertThat(policies.remove(created.id())).isTrue();
    assertThat(policies.remove(created.id())).isFalse();
    assertThat(policies.find(created.id())).isEmpty();
  }

  @Test
  void anotherDescriptionIsAChange() {
    PolicyRow created = put("north", "os", "{}");

    PolicyRow changed =
        policies.put(new NewPolicy(created.id(), "title", "By contract.\nSee it.", "os", 0, "{}"), "bob");

    assertThat(created.description()).isEmpty();
    assertThat(changed.description()).isEqualTo("By contract.\nSee it.");
    assertThat(changed.version()).isEqualTo(2);
  }

  @Test
  void enablingAgainMakesItTheOneThatWasEnabledLast() {
    PolicyId id = put("north", "os", "{}").id();

    PolicyRow first = policies.setEnabled(id, true, "ann");
    clock.advance(Duration.ofMinutes(1));
    PolicyRow again = policies.setEnabled(id, true, "bob");
    PolicyRow disabled = policies.setEnabled(id, false, "ann");

    assertThat(first.enabledAt()).contains(first.changedAt());
    assertThat(again.enabledAt().orElseThrow()).isAfter(first.enabledAt().orElseThrow());
    assertThat(disabled.enabled()).isFalse();
    assertThat(disabled.enabledAt()).isEqualTo(again.enabledAt());
  }

  @Test
  void enabledOnesAreFoundByPackageAndTenant() {
    policies.setEnabled(put("b", "os", "{}").id(), true, "ann");
    policies.setEnabled(put("a", "os", "{}").id(), true, "ann");
    policies.setEnabled(put("c", "app", "{}").id(), true, "ann");
    put("disabled", "os", "{}");

    assertThat(policies.findEnabled(tenant, "os")).extracting(PolicyRow::name).containsExactly("a", "b");
    assertThat(policies.findOfPackage(tenant, "os")).extracting(PolicyRow::name).containsExactly("a", "b", "disabled");
    assertThat(policies.findEnabledOfTenant(tenant)).extracting(PolicyRow::name).containsExactly("a", "b", "c");
    assertThat(policies.findAllEnabled()).extracting(PolicyRow::tenant).contains(tenant);
    assertThat(policies.findEnabled(newTenant(), "os")).isEmpty();
    assertThat(policies.list(tenant, PageRequest.first(3)).rows())
        .extracting(PolicyRow::name)
        .containsExactly("a", "b", "c");
    assertThat(policies.list(tenant, PageRequest.first(3)).next()).isPresent();
  }

  @Test
  void completeSinceIsTheFirstEvaluationWithNothingLeft() {
    PolicyRow policy = put("north", "os", "{}");
    assertThat(evaluations.find(policy.id())).isEmpty();
    evaluations.record(policy, false, List.of("other"));
    assertThat(evaluation(policy).conflicts()).containsExactly("other");
    assertThat(evaluation(policy).completeSince()).isEmpty();

    evaluations.record(policy, true, List.of());
    Optional<Instant> since = evaluation(policy).completeSince();
    clock.advance(Duration.ofMinutes(1));
    evaluations.record(policy, true, List.of());

    assertThat(since).isPresent();
    assertThat(evaluation(policy).completeSince()).isEqualTo(since);
    assertThat(evaluation(policy).evaluatedAt()).isEqualTo(clock.instant());
    assertThat(policies.find(policy.id())).contains(policy);
    evaluations.record(policy, false, List.of());
    assertThat(evaluation(policy).completeSince()).isEmpty();
  }

  @Test
  void aPolicyThatWasChangedIsCompleteSinceItsOwnEvaluation() {
    PolicyRow policy = put("north", "os", "{}");
    evaluations.record(policy, true, List.of());
    clock.advance(Duration.ofMinutes(1));

    evaluations.record(policies.setEnabled(policy.id(), true, "ann"), true, List.of());

    assertThat(evaluation(policy).completeSince()).contains(clock.instant());
  }

  @Test
  void ofADeletedPolicyNoEvaluationIsKept() {
    PolicyRow policy = put("north", "os", "{}");
    evaluations.record(policy, true, List.of());
    policies.remove(policy.id());
    assertThat(evaluations.find(policy.id())).isEmpty();

    evaluations.record(policy, true, List.of());

    assertThat(evaluations.find(policy.id())).isEmpty();
  }

  @Test
  void aTenantThatDoesNotExistHasNoPolicies() {
    assertThatThrownBy(() -> policies.put(new NewPolicy(new PolicyId("unknown", "p"), "", "", "os", 0, "{}"), "ann"))
        .isInstanceOf(NoSuchTenant.class);
  }

  @Test
  void rolloutsOfAPolicyAreFoundWithTheirDevices() {
    PolicyId id = put("north", "os", "{}").id();
    RolloutId first = rollout("north-1", List.of("a", "b", "c"));
    rollouts.setPolicy(first, id);
    RolloutId byPerson = rollout("by-person", List.of("a"));

    assertThat(rollouts.findPolicy(first)).contains(id);
    assertThat(rollouts.findPolicy(byPerson)).isEmpty();
    assertThat(rollouts.findOpen(id)).extracting(RolloutRow::id).containsExactly(first);
    assertThat(rollouts.count(id, RELEASE)).isEqualTo(1);
    assertThat(rollouts.findNewest(id, RELEASE)).map(RolloutRow::id).contains(first);
    assertThat(rollouts.findOpenTargets(tenant, "os", "a", "b"))
        .extracting(
            target -> target.device() + " " + target.rollout() + " " + target.policy() + " " + target.targetState())
        .containsExactly("a by-person  pending", "a north-1 north pending", "b north-1 north pending");
    assertThat(rollouts.findOpenTargets(tenant, "app", "a", "c")).isEmpty();

    assertThat(rollouts.findOpenTargets(tenant, "os", "c", "c"))
        .extracting(target -> target.rolloutState() + " " + target.waiting())
        .containsExactly("running Optional.empty");
    var states = database.repository(RolloutRepository.class);
    states.setState(first, RolloutState.PAUSED, Optional.of(WaitReason.PAUSED), "paused by bob", Optional.empty());
    assertThat(rollouts.findOpenTargets(tenant, "os", "c", "c"))
        .extracting(target -> target.rolloutState() + " " + target.waiting() + " " + target.waitMessage())
        .containsExactly("paused Optional[paused] paused by bob");

    states.end(first, RolloutOutcome.PARTIAL);
    assertThat(rollouts.findOpen(id)).isEmpty();
    assertThat(rollouts.findNewest(id, 5)).hasSize(1);
  }

  @Test
  void endsOfDevicesInRolloutsOfAPolicyAreFound() {
    PolicyId id = put("north", "os", "{}").id();
    RolloutId rollout = rollout("north-1", List.of("a", "b"));
    rollouts.setPolicy(rollout, id);
    var targets = database.repository(RolloutTargetRepository.class);
    end(targets, rollout, "a", TargetResult.UPGRADED);

    assertThat(rollouts.findEnds(id, RELEASE, clock.instant(), "a", "b"))
        .singleElement()
        .satisfies(end -> {
          assertThat(end.device()).isEqualTo("a");
          assertThat(end.targetResult()).isEqualTo(TargetResult.UPGRADED);
          assertThat(end.endedAt()).isEqualTo(clock.instant());
        });
    assertThat(rollouts.findEnds(id, RELEASE, clock.instant().plusSeconds(1), "a", "b")).isEmpty();
    assertThat(rollouts.findEnds(id, new Release("os", "2"), clock.instant(), "a", "b")).isEmpty();
  }

  @Test
  void devicesThatAreLeftOutOfARolloutAreCounted() {
    RolloutId rollout = rollout("north-1", List.of("a", "b", "c"));
    var targets = database.repository(RolloutTargetRepository.class);
    assertThat(targets.skip(rollout, List.of("a", "b"))).isEqualTo(2);

    assertThat(rollouts.countSkipped(rollout, List.of("b", "c", "absent"))).isEqualTo(1);
    assertThat(rollouts.countSkipped(rollout, List.of())).isZero();
  }

  private PolicyEvaluationRow evaluation(PolicyRow policy) {
    return evaluations.find(policy.id()).orElseThrow();
  }

  private PolicyRow put(String name, String packageName, String spec) {
    return policies.put(new NewPolicy(new PolicyId(tenant, name), "title", "", packageName, 0, spec), "ann");
  }

  private RolloutId rollout(String name, List<String> devices) {
    RolloutId id = new RolloutId(tenant, name);
    database
        .repository(RolloutRepository.class)
        .create(
            new NewRollout(id, name, RELEASE, "{}", "{}", "{}", RolloutState.RUNNING, "ann", Optional.empty(), 0),
            new RolloutMembership(List.of(new RolloutMembership.NewWave(1, 0, "wave", devices)), List.of()));
    return id;
  }

  private void end(RolloutTargetRepository targets, RolloutId rollout, String device, TargetResult result) {
    var _ =
        database.inTransaction(() -> {
          targets.markStarting(rollout, List.of(device), false);
          targets.markStarted(rollout, device);
          targets.recordResults(
              rollout, List.of(new NewTargetResult(device, result, true, Optional.empty(), clock.instant())));
          return device;
        });
  }
}
