package dev.uplift.services.policy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.services.TestStacks;
import dev.uplift.store.Database;
import dev.uplift.store.device.DeviceSpec;
import dev.uplift.store.device.HeartbeatRow;
import dev.uplift.store.device.HostInfo;
import dev.uplift.store.device.Precondition;
import dev.uplift.store.policy.PolicyRow;
import dev.uplift.store.rollout.NewRollout;
import dev.uplift.store.rollout.RolloutMembership;
import dev.uplift.store.rollout.RolloutMembership.NewWave;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;

/// Many devices of one host each, in regions, of which every tenth runs 1.6.0 and the others 1.4.0. Each host has said
/// what a real one says.
///
/// @param devices how many
/// @param regions each has about as many devices as any other
record PolicyFleet(Database database, PolicyRepositories tables, int devices, int regions) {
  private static final int PER_TRANSACTION = 1_000;

  static String device(int number) {
    return "d%06d".formatted(number);
  }

  String region(int number) {
    return "r" + number % regions;
  }

  static String version(int number) {
    return number % 10 == 0 ? "1.6.0" : "1.4.0";
  }

  void create() {
    for (int first = 0; first < devices; first += PER_TRANSACTION) {
      create(first, Math.min(devices, first + PER_TRANSACTION));
    }
  }

  private void create(int first, int end) {
    var common = tables.rollouts().common();
    int _ =
        database.inTransaction(() -> {
          for (int number = first; number < end; number++) {
            common.devices().put(spec(number), Precondition.anything());
            common.hosts().recordInfo(TestStacks.TENANT, host(number), info(number), List.of(), List.of());
          }
          return end;
        });
    common.hosts().recordHeartbeats(IntStream.range(first, end).mapToObj(PolicyFleet::heartbeat).toList());
  }

  private DeviceSpec spec(int number) {
    return new DeviceSpec(
        new DeviceId(TestStacks.TENANT, device(number)),
        List.of(host(number)),
        Map.of("region", region(number), "shop", "s" + number),
        ZoneOffset.UTC,
        "");
  }

  private static HostInfo info(int number) {
    String text =
        """
        {"protocol_version":1,"agent_version":"0.1.0","drivers":["bundle","script","simulated"],"architecture":"x86_64",\
        "versions":{"agent":"0.1.0","os":"%s"},"boot_id":"6f2a7c1e-0c1d-4e7f-8a44-2b9d3e5f6a71","instance":"7d3f9a1c",\
        "state":"running","at":"2026-03-29T01:30:00Z","rejected_messages":0,"last_outcome":{"command_id":\
        "0198e2a4-6f0e-4c2b-9a53-0d6b5c1f7e10","epoch":1774747800000,"at":"2026-03-29T01:30:00Z","result":"done"}}\
        """
            .formatted(version(number));
    AgentInfo said = AgentInfo.read(text.getBytes(UTF_8));
    return new HostInfo(
        text,
        said.agentVersion(),
        said.architecture(),
        said.drivers(),
        said.bootId(),
        said.instance(),
        "running",
        said.versions(),
        Instant.now());
  }

  private static HeartbeatRow heartbeat(int number) {
    return new HeartbeatRow(
        TestStacks.TENANT,
        host(number),
        "instance",
        "boot",
        "running",
        new TreeMap<>(Map.of(PolicyEvaluatorScenario.PACKAGE, version(number))),
        Instant.now());
  }

  private static HostId host(int number) {
    return new HostId(device(number) + "-host");
  }

  /// An open rollout of the policy, in which all devices wait.
  void createRollout(PolicyRow policy, Release release) {
    var rollout = new RolloutId(TestStacks.TENANT, policy.name() + "-1");
    var all = new NewWave(1, 0, "all", IntStream.range(0, devices).mapToObj(PolicyFleet::device).toList());
    tables
        .rollouts()
        .rollouts()
        .create(
            new NewRollout(rollout, "", release, "{}", "{}", "{}", RolloutState.RUNNING, "ann", Optional.empty(), 0),
            new RolloutMembership(List.of(all), List.of()));
    tables.ofPolicies().setPolicy(rollout, policy.id());
  }
}
