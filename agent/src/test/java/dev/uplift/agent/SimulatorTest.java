package dev.uplift.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.Event;
import dev.uplift.protocol.Result;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Program;
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
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static Site site;
  private static Program simulator;

  @BeforeAll
  static void open() throws Exception {
    site = Site.open();
    simulator = site.stack.simulator(arguments());
    simulator.start();
    await("all hosts are up")
        .atMost(PATIENCE)
        .until(() -> Files.readString(simulator.log()).contains("ready: " + HOSTS + " hosts"));
  }

  private static List<String> arguments() {
    var nats = site.stack.nats();
    var arguments = new ArrayList<String>();
    Map.of(
            "--nats",
            nats.url(),
            "--credentials",
            nats.realm().fleet(Site.TENANT).toString(),
            "--trust",
            site.stack.secrets().trust(Site.TENANT).toString(),
            "--tenant",
            Site.TENANT,
            "--hosts",
            "sim-####",
            "--count",
            Integer.toString(HOSTS),
            "--package",
            "shopd=1.4.0",
            "--ramp-s",
            "1",
            "--down-ms",
            "100")
        .forEach((name, value) -> arguments.addAll(List.of(name, value)));
    return arguments;
  }

  @AfterAll
  static void close() {
    site.close();
  }

  @Test
  void everyHostBeatsAndIsUpgraded() throws Exception {
    List<Host> hosts = IntStream.range(0, HOSTS - 1).mapToObj(SimulatorTest::host).toList();
    awaitVersion("1.4.0", hosts);

    for (Action action : List.of(Action.PREPARE, Action.UPGRADE)) {
      var commands = new ArrayList<Command>();
      for (Host host : hosts) {
        commands.add(site.send(host, site.draft(action)));
      }
      await("outcomes of " + action)
          .atMost(PATIENCE)
          .until(() -> commands.stream().noneMatch(it -> site.outcomes(it).isEmpty()));
      assertThat(commands)
          .allSatisfy(
              it -> assertThat(result(site.outcomes(it).getFirst())).isEqualTo(new Result.Done()));
    }

    awaitVersion("1.5.0", hosts);
  }

  private static void awaitVersion(String version, List<Host> hosts) {
    await("beats with " + version)
        .atMost(PATIENCE)
        .until(() -> hosts.stream().allMatch(host -> beats(host, version)));
  }

  private static boolean beats(Host host, String version) {
    return site.beats(host).stream().anyMatch(beat -> beat.version("shopd").equals(version));
  }

  @Test
  void aHostThatRebootsIsAwayAndComesBackAsAnother() throws Exception {
    Host host = host(HOSTS - 1);
    var reboots = Map.of("reboot", "true");
    var _ = site.outcome(site.send(host, site.draft(Action.PREPARE, reboots)));
    Event before = site.outcome(site.send(host, site.draft(Action.UPGRADE, reboots)));
    assertThat(result(before)).isEqualTo(new Result.RebootRequired());

    Event back =
        site.outcome(site.send(host, site.draft(Action.REBOOT).expectingBoot(before.bootId())));

    assertThat(result(back)).isEqualTo(new Result.Done());
    assertThat(back.version()).isEqualTo("1.5.0");
    assertThat(back.bootId()).isNotEqualTo(before.bootId());
    assertThat(back.instance()).isNotEqualTo(before.instance());
  }

  private static Host host(int number) {
    return site.host("sim-%04d".formatted(number));
  }

  private static Result result(Event event) {
    return ((Event.Outcome) event.said()).result();
  }
}
