package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.Event;
import dev.uplift.temporaldev.stack.StackHost;
import dev.uplift.temporaldev.stack.StackProgram;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// Many hosts in one process, over a real nats-server.
final class SimulatorTest {
  private static final int HOSTS = 100;
  private static final Duration TIMEOUT = Duration.ofSeconds(60);
  private static AgentTestbed testbed;
  private static StackProgram simulator;

  @BeforeAll
  static void open() throws Exception {
    testbed = AgentTestbed.open();
    simulator = testbed.stack.simulator(arguments());
    simulator.start();
    await("all hosts are up")
        .atMost(TIMEOUT)
        .until(() -> Files.readString(simulator.logFile()).contains("ready: " + HOSTS + " hosts"));
  }

  private static List<String> arguments() {
    var natsServer = testbed.stack.nats();
    var arguments = new ArrayList<String>();
    Map.of(
            "--nats",
            natsServer.url(),
            "--credentials",
            natsServer.operator().fleetCredentials(AgentTestbed.TENANT).toString(),
            "--trust",
            testbed.stack.secrets().trustFolder(AgentTestbed.TENANT).toString(),
            "--tenant",
            AgentTestbed.TENANT,
            "--hosts",
            "sim-####",
            "--count",
            Integer.toString(HOSTS),
            "--package",
            "shopd=1.4.0",
            "--ramp-up-seconds",
            "1",
            "--reboot-ms",
            "100")
        .forEach((name, value) -> arguments.addAll(List.of(name, value)));
    return arguments;
  }

  @AfterAll
  static void close() {
    testbed.close();
  }

  @Test
  void everyHostBeatsAndIsUpgraded() throws Exception {
    List<StackHost> hosts = IntStream.range(0, HOSTS - 1).mapToObj(SimulatorTest::host).toList();
    awaitVersion("1.4.0", hosts);

    for (CommandAction commandAction : List.of(CommandAction.PREPARE, CommandAction.UPGRADE)) {
      var commands = new ArrayList<Command>();
      for (StackHost stackHost : hosts) {
        commands.add(testbed.send(stackHost, testbed.draft(commandAction)));
      }
      await("outcomes of " + commandAction)
          .atMost(TIMEOUT)
          .until(() -> commands.stream().noneMatch(it -> testbed.outcomes(it).isEmpty()));
      assertThat(commands)
          .allSatisfy(it -> assertThat(result(testbed.outcomes(it).getFirst())).isEqualTo(new CommandResult.Done()));
    }

    awaitVersion("1.5.0", hosts);
  }

  private static void awaitVersion(String version, List<StackHost> hosts) {
    await("beats with " + version)
        .atMost(TIMEOUT)
        .until(() -> hosts.stream().allMatch(stackHost -> beats(stackHost, version)));
  }

  private static boolean beats(StackHost stackHost, String version) {
    return testbed.heartbeats(stackHost).stream().anyMatch(heartbeat -> heartbeat.version("shopd").equals(version));
  }

  @Test
  void aRebootingHostIsSilentAndReturnsAsAnotherInstance() throws Exception {
    StackHost stackHost = host(HOSTS - 1);
    var reboots = Map.of("reboot", "true");
    var _ = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.PREPARE, reboots)));
    Event before = testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.UPGRADE, reboots)));
    assertThat(result(before)).isEqualTo(new CommandResult.RebootRequired());

    Event back =
        testbed.outcome(testbed.send(stackHost, testbed.draft(CommandAction.REBOOT).expectBoot(before.bootId())));

    assertThat(result(back)).isEqualTo(new CommandResult.Done());
    assertThat(back.version()).isEqualTo("1.5.0");
    assertThat(back.bootId()).isNotEqualTo(before.bootId());
    assertThat(back.instance()).isNotEqualTo(before.instance());
  }

  private static StackHost host(int number) {
    return testbed.host("sim-%04d".formatted(number));
  }

  private static CommandResult result(Event event) {
    return ((Event.Outcome) event.content()).result();
  }
}
