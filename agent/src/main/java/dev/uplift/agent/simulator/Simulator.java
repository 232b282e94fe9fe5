package dev.uplift.agent.simulator;

import dev.uplift.agent.core.Trust;
import dev.uplift.agent.link.Authorities;
import dev.uplift.agent.link.GoodTime;
import dev.uplift.agent.link.LinkSettings;
import dev.uplift.agent.link.NatsWire;
import dev.uplift.agent.log.PlainLogs;
import dev.uplift.protocol.Bounds;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.Root;
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

/// Plays many hosts until it is ended. Prints `ready: <count> hosts` when all have come up. Ends
/// with 2 where the command line has no sense and with 12 where the root cannot be read.
public final class Simulator implements AutoCloseable {
  private static final int USAGE = 2;
  private static final int FATAL_CONFIGURATION = 12;

  private final List<NatsWire> wires = new ArrayList<>();
  private final List<SimulatedHost> hosts = new ArrayList<>();
  private final Duration between;

  private Simulator(Wishes wishes, Root root) {
    for (int i = 0; i < wishes.connections(); i++) {
      wires.add(new NatsWire(link(wishes)));
    }
    for (String name : wishes.names()) {
      NatsWire wire = wires.get(hosts.size() % wires.size());
      hosts.add(new SimulatedHost(wishes, name, Trust.inMemory(root), wire));
    }
    between = wishes.ramp().dividedBy(Math.max(1, hosts.size()));
  }

  public static void main(String[] arguments) throws InterruptedException {
    // Thousands that say the same are of no use.
    PlainLogs.writeFrom(Level.WARNING);
    try {
      Simulator simulator = open(Wishes.of(arguments));
      Runtime.getRuntime().addShutdownHook(new Thread(simulator::close));
      simulator.start();
      System.out.println("ready: " + simulator.hosts.size() + " hosts");
      new CountDownLatch(1).await();
    } catch (IllegalArgumentException | MalformedMessage e) {
      System.err.println("simulator: " + e.getMessage());
      System.err.print(Wishes.USAGE);
      System.exit(USAGE);
    } catch (IOException | GeneralSecurityException e) {
      System.err.println("simulator: " + e.getMessage());
      System.exit(FATAL_CONFIGURATION);
    }
  }

  private static Simulator open(Wishes wishes) throws IOException, GeneralSecurityException {
    if (wishes.authorities().isPresent()) {
      Authorities.trustOnly(wishes.authorities(), GoodTime.inMemory()::floor);
    }
    Bounds.tenant("--tenant", wishes.tenant());
    wishes.names().forEach(name -> Bounds.host("--hosts", name));
    return new Simulator(wishes, Trust.installed(wishes.trust(), wishes.tenant()));
  }

  private static LinkSettings link(Wishes wishes) {
    return new LinkSettings(
        wishes.nats(),
        Optional.of(wishes.credentials()),
        "",
        Optional.empty(),
        "_INBOX." + wishes.tenant() + "." + UUID.randomUUID(),
        "uplift-simulator " + wishes.tenant(),
        () -> false);
  }

  private void start() throws InterruptedException {
    wires.forEach(NatsWire::start);
    for (SimulatedHost host : hosts) {
      host.start();
      Thread.sleep(between);
    }
  }

  /// All hosts say that they end.
  @Override
  public void close() {
    try (ExecutorService together = Executors.newVirtualThreadPerTaskExecutor()) {
      hosts.forEach(host -> together.execute(host::close));
    }
    wires.forEach(NatsWire::close);
  }
}
