package dev.uplift.agent.simulator;

import dev.uplift.agent.command.AgentIntervals;
import dev.uplift.agent.command.HostAgent;
import dev.uplift.agent.command.HostEnvironment;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.simulated.SimulatedDriver;
import dev.uplift.agent.driver.simulated.SimulatedState;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.journal.CommandJournal;
import dev.uplift.agent.report.HostContext;
import dev.uplift.agent.transport.Transport;
import dev.uplift.agent.trust.TrustStore;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// A simulated host. Its memory survives its boots, like a disk.
final class SimulatedHost implements AutoCloseable {
  private static final Path NO_PATH = Path.of("/nonexistent");

  private final SimulatorOptions simulatorOptions;
  private final String name;
  private final TrustStore trust;
  private final Transport wire;
  private final CommandJournal journal = CommandJournal.inMemory();
  private final SortedMap<String, HostPackage> packages;
  private volatile String bootId = newId();
  private @Nullable HostAgent agent;
  private boolean closed;

  SimulatedHost(SimulatorOptions simulatorOptions, String name, TrustStore trust, Transport wire) {
    this.simulatorOptions = simulatorOptions;
    this.name = name;
    this.trust = trust;
    this.wire = wire;
    this.packages = packages();
  }

  private SortedMap<String, HostPackage> packages() {
    var host = new Host(simulatorOptions.tenant(), name, FileOps.onDisk(), () -> bootId);
    var all = new TreeMap<String, HostPackage>();
    simulatorOptions
        .packages()
        .forEach((packageName, version) -> {
          var settings = new TreeMap<>(simulatorOptions.driverSettings());
          settings.put("version", version);
          PackageContext packageContext =
              new PackageContext(host, packageName, NO_PATH, NO_PATH, new PackageOptions(settings));
          all.put(
              packageName,
              new HostPackage("simulated", new SimulatedDriver(packageContext, SimulatedState.inMemory())));
        });
    return all;
  }

  /// Boots: from now on it listens, works and publishes heartbeats.
  synchronized void start() {
    if (closed) {
      return;
    }
    var environment =
        new HostEnvironment(
            (_, _, _) -> {
              throw StepFailed.fatal("no-artifact", "a simulated host fetches nothing");
            },
            _ -> {
              Thread.ofVirtual().name("reboot of " + name).start(this::reboot);
              return 0;
            },
            AgentIntervals.defaults(simulatorOptions.heartbeatInterval()));
    HostAgent fresh = new HostAgent(setup(), trust, wire, journal, environment);
    agent = fresh;
    fresh.start();
  }

  private HostContext setup() {
    return new HostContext(simulatorOptions.tenant(), name, newId(), bootId, "simulated", "simulated", packages);
  }

  private void reboot() {
    stopAgent();
    try {
      Thread.sleep(simulatorOptions.rebootDuration());
    } catch (InterruptedException _) {
      return;
    }
    bootId = newId();
    start();
  }

  private synchronized void stopAgent() {
    HostAgent running = agent;
    agent = null;
    if (running != null) {
      running.close();
    }
  }

  /// For good.
  @Override
  public synchronized void close() {
    closed = true;
    stopAgent();
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }
}
