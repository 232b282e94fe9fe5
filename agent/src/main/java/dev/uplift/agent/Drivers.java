package dev.uplift.agent;

import dev.uplift.agent.AgentConfig.PackageConfig;
import dev.uplift.agent.core.HostPackage;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Succession;
import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.driver.agent.Self;
import dev.uplift.agent.driver.bundle.BundleDriver;
import dev.uplift.agent.driver.script.ScriptDriver;
import dev.uplift.agent.driver.simulated.SimulatedDriver;
import dev.uplift.protocol.MalformedMessage;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Opens the driver of each package.
final class Drivers {
  private Drivers() {}

  /// @param state where drivers keep what they have to remember
  static SortedMap<String, HostPackage> open(AgentConfig config, Host host, Path state, Self self) {
    var packages = new TreeMap<String, HostPackage>();
    config
        .packages()
        .forEach((name, its) -> {
          Path memory = state.resolve(name);
          Path folder = its.folder().orElse(memory.resolve("files"));
          var setup = new Setup(host, name, folder, memory, Options.of(its.settings()));
          packages.put(name, new HostPackage(its.kind(), open(name, its, setup, self)));
        });
    return packages;
  }

  private static Driver open(String name, PackageConfig its, Setup setup, Self self) {
    return switch (its.kind()) {
      case "agent" -> own(name, setup, self);
      case "bundle" -> new BundleDriver(setup);
      case "script" -> new ScriptDriver(setup);
      case "simulated" -> SimulatedDriver.open(setup);
      default ->
          throw new MalformedMessage(
              "packages."
                  + name
                  + ".kind: expected one of agent, bundle, script, simulated, found "
                  + its.kind());
    };
  }

  private static Driver own(String name, Setup setup, Self self) {
    @Nullable String run = System.getenv("UPLIFT_AGENT_RUN");
    try {
      return new AgentDriver(
          setup, self, run == null ? setup.folder().resolve("run") : Path.of(run));
    } catch (StepFailed e) {
      throw new MalformedMessage("packages." + name + ": " + e.result());
    }
  }

  /// What the agent's own package has to say to the rest of the agent.
  static Succession successionIn(SortedMap<String, HostPackage> packages) {
    for (HostPackage each : packages.values()) {
      if (each.driver() instanceof AgentDriver own) {
        return own.succession();
      }
    }
    return Succession.NONE;
  }
}
