package dev.uplift.agent;

import dev.uplift.agent.driver.AgentState;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.driver.agent.RunningAgent;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.transport.NatsTransport;
import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.Subjects;
import dev.uplift.protocol.TrustRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Map;

/// Tests whether this version can work on this host: reads the configuration and the trust root, opens the drivers,
/// logs in to NATS and awaits a reply. Changes nothing.
final class SelfTest {
  private static final Duration SERVER_TIMEOUT = Duration.ofSeconds(30);
  private static final Duration RETRY_INTERVAL = Duration.ofMillis(250);

  private SelfTest() {}

  /// The code that the process is to end with.
  ///
  /// @throws dev.uplift.protocol.json.MalformedMessage where the configuration is wrong
  static int run(Path configuration) throws IOException, GeneralSecurityException, InterruptedException {
    System.out.println("uplift-agent " + Agent.version());
    AgentConfig config = AgentConfig.read(configuration);
    Agent.configureTls(config, TrustedTimeFloor.inFolder(FileOps.onDisk(), config.stateFolder()));
    TrustRoot trustRoot = TrustStore.readInstalled(config.trustFolder(), config.tenant());
    System.out.println("root " + trustRoot.version());
    String bootId = Files.readString(config.bootIdFile()).strip();
    var host = new Host(config.tenant(), config.host(), FileOps.onDisk(), () -> bootId);
    var runningAgent = new RunningAgent(Agent.version(), Agent.architecture(), new AgentState(), () -> false);
    var packages = DriverFactory.open(config, host, config.stateFolder().resolve("packages"), runningAgent);
    System.out.println("packages " + packages.keySet());
    try (var wire = new NatsTransport(Agent.transportSettings(config, Agent.newInstance(), () -> true))) {
      wire.start();
      return awaitServer(wire, Subjects.hostAddress(config.tenant(), config.host()))
          ? 0
          : AgentDriver.SERVER_UNAVAILABLE;
    }
  }

  private static boolean awaitServer(NatsTransport wire, String host) throws InterruptedException {
    long until = System.nanoTime() + SERVER_TIMEOUT.toNanos();
    while (true) {
      try {
        wire.request(Subjects.directGetCommand(host), Map.of(), new byte[0]);
        System.out.println("ok");
        return true;
      } catch (ServerUnavailable e) {
        if (System.nanoTime() > until) {
          System.out.println("the server cannot be reached: " + e.getMessage());
          return false;
        }
        Thread.sleep(RETRY_INTERVAL);
      }
    }
  }
}
