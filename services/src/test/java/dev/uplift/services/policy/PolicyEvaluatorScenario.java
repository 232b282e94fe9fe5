package dev.uplift.services.policy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RollbackScope;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.fleet.rollout.plan.RolloutPlan;
import dev.uplift.protocol.Heartbeat;
import dev.uplift.services.TestReleases;
import dev.uplift.services.TestStacks;
import dev.uplift.services.presence.HostPresence;
import dev.uplift.services.presence.PresenceStatus;
import dev.uplift.services.presence.ReceivedHeartbeat;
import dev.uplift.services.rollout.RolloutSpec;
import dev.uplift.store.Database;
import dev.uplift.store.DatabaseSettings;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.policy.NewPolicy;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.tenant.TenantRepository;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/// An evaluator on tables, in memory unless the test says otherwise, with releases 1.4.0, 1.5.0 and 1.6.0. Devices have
/// one host each, which is heard unless the test makes it silent.
abstract class PolicyEvaluatorScenario {
  static final String PACKAGE = "os";

  final Set<String> silent = new HashSet<>();
  Database database;
  PolicyRepositories tables;
  PolicyEvaluator evaluator;

  @BeforeEach
  void open() {
    database = Database.open(newDatabase());
    tables = database.repository(PolicyRepositories.class);
    evaluator = new PolicyEvaluator(tables, new AllHeard());
    database.repository(TenantRepository.class).put(TestStacks.TENANT, "");
    publish("1.4.0", 140);
    publish("1.5.0", 150);
    publish("1.6.0", 160);
  }

  /// Where the tables are.
  DatabaseSettings newDatabase() {
    return DatabaseSettings.h2InMemory();
  }

  @AfterEach
  void close() {
    database.close();
  }

  PolicyEvaluation evaluate(PolicyRow policy) {
    return evaluator.evaluate(policy, _ -> {}, () -> {});
  }

  PolicyRow enable(String name, String region, PolicyTarget target, int priority, boolean fallback) {
    return enable(name, region, target, priority, fallback, new PolicyRepeat.Always());
  }

  PolicyRow enable(
      String name, String region, PolicyTarget target, int priority, boolean fallback, PolicyRepeat repeat) {
    return enable(name, region, target, priority, fallback, repeat, PolicyStart.NOW);
  }

  PolicyRow enable(
      String name,
      String region,
      PolicyTarget target,
      int priority,
      boolean fallback,
      PolicyRepeat repeat,
      PolicyStart start) {
    PolicyId id = new PolicyId(TestStacks.TENANT, name);
    String selection = region.isEmpty() ? "true" : "labels.region == '%s'".formatted(region);
    var spec =
        new PolicySpec(
            target,
            selection,
            true,
            fallback,
            start,
            repeat,
            UnknownVersion.LEAVE,
            new RolloutSpec(
                "",
                RolloutPlan.defaults(new Release(PACKAGE, "0"), selection),
                RollbackScope.DEVICE,
                Duration.ZERO,
                false));
    tables.policies().put(new NewPolicy(id, "", "", PACKAGE, priority, PolicyJson.write(spec)), "ann");
    assertThat(PolicyJson.read(PolicyJson.write(spec))).isEqualTo(spec);
    return tables.policies().setEnabled(id, true, "ann");
  }

  private void publish(String version, long sequence) {
    TestReleases.publish(tables.rollouts().common(), new Release(PACKAGE, version), sequence);
  }

  static DeviceId id(String name) {
    return new DeviceId(TestStacks.TENANT, name);
  }

  void device(String name, String region, String version) {
    device(name, region, version, "");
  }

  void device(String name, String region, String version, String windows) {
    tables
        .rollouts()
        .common()
        .devices()
        .put(
            new DeviceSpec(
                id(name), List.of(new HostId(name + "-host")), Map.of("region", region), ZoneOffset.UTC, windows),
            Precondition.anything());
    tables
        .rollouts()
        .common()
        .hosts()
        .recordHeartbeats(
            List.of(
                new HeartbeatRow(
                    TestStacks.TENANT,
                    new HostId(name + "-host"),
                    "instance",
                    "boot",
                    "running",
                    new TreeMap<>(Map.of(PACKAGE, version)),
                    Instant.now())));
  }

  /// Hosts that are heard, except for those that the test makes silent. What they run is in the tables.
  private final class AllHeard implements HostPresence {
    @Override
    public PresenceStatus status(String tenant, HostId host) {
      Instant now = Instant.now();
      if (silent.stream().anyMatch(name -> host.value().equals(name + "-host"))) {
        return new PresenceStatus.Silent(now);
      }
      return new PresenceStatus.Alive(
          new ReceivedHeartbeat(
              tenant,
              host,
              "instance",
              new Heartbeat(Heartbeat.State.RUNNING, "boot", new TreeMap<>(), false, now),
              now));
    }

    @Override
    public Optional<ReceivedHeartbeat> activeInstance(String tenant, HostId host) {
      return Optional.empty();
    }

    @Override
    public Optional<String> describeDuplicates(String tenant, HostId host) {
      return Optional.empty();
    }

    @Override
    public Optional<String> describeOutage(String tenant) {
      return Optional.empty();
    }
  }
}
