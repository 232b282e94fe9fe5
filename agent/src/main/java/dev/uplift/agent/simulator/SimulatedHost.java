package dev.uplift.agent.simulator;

import dev.uplift.agent.core.HostAgent;
import dev.uplift.agent.core.HostPackage;
import dev.uplift.agent.core.HostSetup;
import dev.uplift.agent.core.Surroundings;
import dev.uplift.agent.core.Tempo;
import dev.uplift.agent.core.Trust;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.simulated.SimulatedDriver;
import dev.uplift.agent.driver.simulated.SimulatedState;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.link.Wire;
import dev.uplift.agent.ops.Ops;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// One host that is played. What it remembers lasts from boot to boot, as a disk would.
final class SimulatedHost implements AutoCloseable {
  private static final Path NO_FOLDER = Path.of("/nonexistent");

  private final Wishes wishes;
  private final String name;
  private final Trust trust;
  private final Wire wire;
  private final Ops ops = Ops.inMemory();
  private final SortedMap<String, HostPackage> packages;
  private volatile String bootId = newId();
  private @Nullable HostAgent agent;
  private boolean closed;

  SimulatedHost(Wishes wishes, String name, Trust trust, Wire wire) {
    this.wishes = wishes;
    this.name = name;
    this.trust = trust;
    this.wire = wire;
    this.packages = packages();
  }

  private SortedMap<String, HostPackage> packages() {
    var host = new Host(wishes.tenant(), name, FileOps.onDisk(), () -> bootId);
    var all = new TreeMap<String, HostPackage>();
    wishes
        .packages()
        .forEach((packageName, version) -> {
          var settings = new TreeMap<>(wishes.knobs());
          settings.put("version", version);
          Setup setup = new Setup(host, packageName, NO_FOLDER, NO_FOLDER, new Options(settings));
          all.put(
              packageName,
              new HostPackage("simulated", new SimulatedDriver(setup, SimulatedState.inMemory())));
        });
    return all;
  }

  /// Comes up: from now on it listens, works and beats.
  synchronized void start() {
    if (closed) {
      return;
    }
    var surroundings =
        new Surroundings(
            (_, _, _) -> {
              throw StepFailed.fatal("no-artifact", "a simulated host fetches nothing");
            },
            _ -> {
              Thread.ofVirtual().name("reboot of " + name).start(this::reboot);
              return 0;
            },
            Tempo.beating(wishes.beat()));
    HostAgent fresh = new HostAgent(setup(), trust, wire, ops, surroundings);
    agent = fresh;
    fresh.start();
  }

  private HostSetup setup() {
    return new HostSetup(
        wishes.tenant(), name, newId(), bootId, "simulated", "simulated", packages);
  }

  private void reboot() {
    goDown();
    try {
      Thread.sleep(wishes.down());
    } catch (InterruptedException _) {
      return;
    }
    bootId = newId();
    start();
  }

  private synchronized void goDown() {
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
    goDown();
  }

  private static String newId() {
    return UUID.randomUUID().toString();
  }
}
