package dev.uplift.agent;

import dev.uplift.agent.core.Trust;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Standing;
import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.driver.agent.Self;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.link.Away;
import dev.uplift.agent.link.GoodTime;
import dev.uplift.agent.link.NatsWire;
import dev.uplift.protocol.Root;
import dev.uplift.protocol.Subjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;

/// Whether this version could work on this host: it reads the configuration and whom to trust,
/// opens the drivers, logs in to the server and has it answer. Changes nothing.
final class SelfTest {
  private static final Duration SERVER = Duration.ofSeconds(30);
  private static final Duration BETWEEN_TRIES = Duration.ofMillis(250);

  private SelfTest() {}

  /// The code that the process is to end with.
  ///
  /// @throws dev.uplift.protocol.MalformedMessage where the configuration is wrong
  static int run(Path configuration)
      throws IOException, GeneralSecurityException, InterruptedException {
    System.out.println("uplift-agent " + Agent.version());
    AgentConfig config = AgentConfig.read(configuration);
    Agent.vouch(config, GoodTime.in(FileOps.onDisk(), config.stateFolder()));
    Root root = Trust.installed(config.trustFolder(), config.tenant());
    System.out.println("root " + root.version());
    String bootId = Files.readString(config.bootIdFile()).strip();
    var host = new Host(config.tenant(), config.host(), FileOps.onDisk(), () -> bootId);
    var self = new Self(Agent.version(), Agent.architecture(), new Standing(), () -> false);
    var packages = Drivers.open(config, host, config.stateFolder().resolve("packages"), self);
    System.out.println("packages " + packages.keySet());
    try (var wire = new NatsWire(Agent.link(config, Agent.newInstance(), () -> true))) {
      wire.start();
      return answers(wire, Subjects.host(config.tenant(), config.host()))
          ? 0
          : AgentDriver.SERVER_AWAY;
    }
  }

  private static boolean answers(NatsWire wire, String host) throws InterruptedException {
    long until = System.nanoTime() + SERVER.toNanos();
    while (true) {
      try {
        wire.ask(Subjects.directGetCommand(host), Map.of(), new byte[0]);
        System.out.println("ok");
        return true;
      } catch (Away e) {
        if (System.nanoTime() > until) {
          System.out.println("the server cannot be reached: " + e.getMessage());
          return false;
        }
        Thread.sleep(BETWEEN_TRIES);
      }
    }
  }
}
