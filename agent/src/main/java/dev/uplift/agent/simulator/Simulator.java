package dev.uplift.agent.simulator;

import dev.uplift.agent.log.PlainLoggerFinder;
import dev.uplift.agent.transport.NatsTransport;
import dev.uplift.agent.transport.TransportSettings;
import dev.uplift.agent.trust.TlsAuthorities;
import dev.uplift.agent.trust.TrustStore;
import dev.uplift.agent.trust.TrustedTimeFloor;
import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Plays many hosts until it is ended. Prints `ready: <count> hosts` when all have come up. Ends with 2 where the
/// command line has no sense and with 12 where the root cannot be read.
public final class Simulator implements AutoCloseable {
  private static final int USAGE = 2;
  private static final int FATAL_CONFIGURATION = 12;

  private final List<NatsTransport> transports = new ArrayList<>();
  private final List<SimulatedHost> hosts = new ArrayList<>();
  private final Duration startInterval;

  private Simulator(SimulatorOptions simulatorOptions, TrustRoot trustRoot) {
    for (int i = 0; i < simulatorOptions.connections(); i++) {
      transports.add(new NatsTransport(transportSettings(simulatorOptions)));
    }
    for (String name : simulatorOptions.hostNames()) {
      NatsTransport wire = transports.get(hosts.size() % transports.size());
      hosts.add(new SimulatedHost(simulatorOptions, name, TrustStore.inMemory(trustRoot), wire));
    }
    startInterval = simulatorOptions.rampUp().dividedBy(Math.max(1, hosts.size()));
  }

  public static void main(String[] arguments) throws InterruptedException {
    // Thousands that say the same are of no use.
    PlainLoggerFinder.setMinimumLevel(Level.WARNING);
    try {
      Simulator simulator = open(SimulatorOptions.parse(arguments));
      Runtime.getRuntime().addShutdownHook(new Thread(simulator::close));
      simulator.start();
      System.out.println("ready: " + simulator.hosts.size() + " hosts");
      new CountDownLatch(1).await();
    } catch (IllegalArgumentException | MalformedMessage e) {
      System.err.println("simulator: " + e.getMessage());
      System.err.print(SimulatorOptions.USAGE);
      System.exit(USAGE);
    } catch (IOException | GeneralSecurityException e) {
      System.err.println("simulator: " + e.getMessage());
      System.exit(FATAL_CONFIGURATION);
    }
  }

  private static Simulator open(SimulatorOptions simulatorOptions) throws IOException, GeneralSecurityException {
    if (simulatorOptions.caFile().isPresent()) {
      TlsAuthorities.trustOnly(simulatorOptions.caFile(), TrustedTimeFloor.inMemory()::floor);
    }
    FieldLimits.requireTenant("--tenant", simulatorOptions.tenant());
    simulatorOptions.hostNames().forEach(name -> FieldLimits.requireHost("--hosts", name));
    return new Simulator(
        simulatorOptions, TrustStore.readInstalled(simulatorOptions.trust(), simulatorOptions.tenant()));
  }

  private static TransportSettings transportSettings(SimulatorOptions simulatorOptions) {
    return new TransportSettings(
        simulatorOptions.nats(),
        Optional.of(simulatorOptions.credentials()),
        "",
        Optional.empty(),
        "_INBOX." + simulatorOptions.tenant() + "." + UUID.randomUUID(),
        "uplift-simulator " + simulatorOptions.tenant(),
        () -> false);
  }

  private void start() throws InterruptedException {
    transports.forEach(NatsTransport::start);
    for (SimulatedHost host : hosts) {
      host.start();
      Thread.sleep(startInterval);
    }
  }

  /// All hosts say that they end.
  @Override
  public void close() {
    try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
      hosts.forEach(host -> together.execute(host::close));
    }
    transports.forEach(NatsTransport::close);
  }
}
