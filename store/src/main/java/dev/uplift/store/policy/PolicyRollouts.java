package dev.uplift.store.policy;

import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.rollout.TargetState;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.store.EnumCodec;
import dev.uplift.store.Transacted;
import dev.uplift.store.rollout.RolloutRow;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.data.annotation.Query;
import io.micronaut.data.jdbc.annotation.JdbcRepository;
import io.micronaut.data.model.query.builder.sql.Dialect;
import io.micronaut.data.repository.GenericRepository;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The rollouts that policies started: the column `policy` of the table `rollout`.
@JdbcRepository(dialect = Dialect.POSTGRES)
@Transacted
public abstract class PolicyRollouts implements GenericRepository<RolloutRow, String> {
  private static final String DEVICES = " AND t.device >= :first AND t.device <= :last";

  /// A device in an open rollout.
  ///
  /// @param policy that started the rollout; empty: a person did
  ///
  /// @param state word of [TargetState]
  ///
  /// @param openState word of [RolloutState]
  ///
  /// @param waitReason word of [WaitReason]
  @Introspected
  public record OpenTarget(
      String device,
      String rollout,
      String policy,
      String version,
      String state,
      String openState,
      @Nullable String waitReason,
      @Nullable String waitMessage) {
    public TargetState targetState() {
      return EnumCodec.decode(TargetState.class, state);
    }

    public RolloutState rolloutState() {
      return EnumCodec.decode(RolloutState.class, openState);
    }

    /// Returns what the rollout waits for; empty if it goes on.
    public Optional<WaitReason> waiting() {
      return Optional.ofNullable(waitReason).map(word -> EnumCodec.decode(WaitReason.class, word));
    }
  }

  /// The end of a device in a rollout.
  ///
  /// @param result word of [TargetResult]
  @Introspected
  public record EndedTarget(String device, String result, Instant endedAt) {
    public TargetResult targetResult() {
      return EnumCodec.decode(TargetResult.class, result);
    }
  }

  /// A policy that is disabled or deleted, with a package of its rollouts.
  @Introspected
  public record StoppedPolicy(String tenant, String policy, String packageName) {
    public PolicyId id() {
      return new PolicyId(tenant, policy);
    }
  }

  /// The disabled or deleted policies of all tenants with rollouts that go on. Few.
  @Query(
      """
      SELECT r.tenant, r.policy, MIN(r.package) AS package FROM rollout r
      LEFT JOIN policy p ON p.tenant = r.tenant AND p.name = r.policy
      WHERE r.state IN ('planned', 'running', 'waiting-approval', 'paused', 'rolling-back') AND r.policy <> ''
        AND (p.enabled IS NULL OR p.enabled = FALSE)
      GROUP BY r.tenant, r.policy ORDER BY r.tenant, r.policy\
      """)
  public abstract List<StoppedPolicy> findLeftOpen();

  /// Records which policy started a rollout. Once.
  public void setPolicy(RolloutId rollout, PolicyId policy) {
    updatePolicy(rollout.tenant(), rollout.name(), policy.name());
  }

  /// Returns the policy that started a rollout; empty if a person did.
  public Optional<PolicyId> findPolicy(RolloutId rollout) {
    return findPolicyName(rollout.tenant(), rollout.name())
        .filter(name -> !name.isEmpty())
        .map(name -> new PolicyId(rollout.tenant(), name));
  }

  /// The rollouts of a policy that have not ended, newest first. Few.
  public List<RolloutRow> findOpen(PolicyId policy) {
    return listOpen(policy.tenant(), policy.name());
  }

  /// The newest rollouts of a policy.
  public List<RolloutRow> findNewest(PolicyId policy, int limit) {
    return listNewest(policy.tenant(), policy.name(), limit);
  }

  /// The newest rollout of a policy to a release.
  public Optional<RolloutRow> findNewest(PolicyId policy, Release release) {
    return listNewestTo(policy.tenant(), policy.name(), release.packageName(), release.version());
  }

  /// Returns how many rollouts to a release a policy has started, without those in the archive.
  public int count(PolicyId policy, Release release) {
    return countTo(policy.tenant(), policy.name(), release.packageName(), release.version());
  }

  /// The devices from `first` to `last` in rollouts of a package that have not ended.
  @Query(
      """
      SELECT t.device, t.rollout, r.policy, r.version, t.state, r.state AS open_state, r.wait_reason, r.wait_message
      FROM rollout r
      JOIN rollout_target t ON t.tenant = r.tenant AND t.rollout = r.id
      WHERE r.tenant = :tenant AND r.package = :packageName AND r.state NOT IN ('draft', 'ended')\
      """
          + DEVICES
          + " ORDER BY t.device, r.id")
  public abstract List<OpenTarget> findOpenTargets(String tenant, String packageName, String first, String last);

  /// The newest end of each device from `first` to `last` in the rollouts of a policy to a version, since a time.
  public List<EndedTarget> findEnds(PolicyId policy, Release release, Instant since, String first, String last) {
    return listEnds(policy.tenant(), policy.name(), release.packageName(), release.version(), since, first, last);
  }

  /// Returns how many of these devices are left out of a rollout.
  public int countSkipped(RolloutId rollout, List<String> devices) {
    return devices.isEmpty() ? 0 : countSkipped(rollout.tenant(), rollout.name(), devices);
  }

  @Query(
      """
      SELECT COUNT(*) FROM rollout_target WHERE tenant = :tenant AND rollout = :rollout AND device IN (:devices)
        AND state = 'skipped'\
      """)
  abstract int countSkipped(String tenant, String rollout, List<String> devices);

  @Query("UPDATE rollout SET policy = :policy WHERE tenant = :tenant AND id = :id AND policy = ''")
  abstract int updatePolicy(String tenant, String id, String policy);

  @Query("SELECT policy FROM rollout WHERE tenant = :tenant AND id = :id")
  abstract Optional<String> findPolicyName(String tenant, String id);

  @Query(
      """
      SELECT * FROM rollout WHERE tenant = :tenant AND policy = :policy AND state NOT IN ('draft', 'ended')
      ORDER BY tenant, policy, created_at DESC, id DESC\
      """)
  abstract List<RolloutRow> listOpen(String tenant, String policy);

  @Query(
      """
      SELECT * FROM rollout WHERE tenant = :tenant AND policy = :policy
      ORDER BY tenant, policy, created_at DESC, id DESC LIMIT :limit\
      """)
  abstract List<RolloutRow> listNewest(String tenant, String policy, int limit);

  @Query(
      """
      SELECT * FROM rollout WHERE tenant = :tenant AND policy = :policy AND package = :packageName
        AND version = :version ORDER BY tenant, policy, created_at DESC, id DESC LIMIT 1\
      """)
  abstract Optional<RolloutRow> listNewestTo(String tenant, String policy, String packageName, String version);

  @Query(
      """
      SELECT COUNT(*) FROM rollout WHERE tenant = :tenant AND policy = :policy AND package = :packageName
        AND version = :version\
      """)
  abstract int countTo(String tenant, String policy, String packageName, String version);

  @Query(
      """
      SELECT t.device, t.result, t.ended_at FROM rollout r
      JOIN rollout_target t ON t.tenant = r.tenant AND t.rollout = r.id
      WHERE r.tenant = :tenant AND r.policy = :policy AND r.package = :packageName AND r.version = :version
        AND t.result IS NOT NULL AND t.ended_at >= :since\
      """
          + DEVICES
          + " ORDER BY t.ended_at")
  abstract List<EndedTarget> listEnds(
      String tenant, String policy, String packageName, String version, Instant since, String first, String last);
}
