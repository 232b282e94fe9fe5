package dev.uplift.agent;

import dev.uplift.agent.AgentConfig.PackageConfig;
import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.AgentTrial;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.HostPackage;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.agent.AgentDriver;
import dev.uplift.agent.driver.agent.RunningAgent;
import dev.uplift.agent.driver.bundle.BundleDriver;
import dev.uplift.agent.driver.script.ScriptDriver;
import dev.uplift.agent.driver.simulated.SimulatedDriver;
import dev.uplift.agent.driver.worker.WorkerDriver;
import dev.uplift.protocol.json.MalformedMessage;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/// Opens the driver of each package.
final class DriverFactory {
  private DriverFactory() {}

  /// @param state where drivers keep what they have to remember
  static SortedMap<String, HostPackage> open(AgentConfig config, Host host, Path state, RunningAgent runningAgent) {
    var packages = new TreeMap<String, HostPackage>();
    config
        .packages()
        .forEach((name, its) -> {
          Path memory = state.resolve(name);
          Path folder = its.folder().orElse(memory.resolve("files"));
          var packageContext = new PackageContext(host, name, folder, memory, PackageOptions.of(its.settings()));
          packages.put(name, new HostPackage(its.kind(), open(name, its, packageContext, runningAgent)));
        });
    return packages;
  }

  private static Driver open(String name, PackageConfig its, PackageContext packageContext, RunningAgent runningAgent) {
    return switch (its.kind()) {
      case "agent" -> openAgentDriver(name, packageContext, runningAgent);
      case "bundle" -> new BundleDriver(packageContext);
      case "script" -> new ScriptDriver(packageContext);
      case "simulated" -> SimulatedDriver.open(packageContext);
      case "worker" -> new WorkerDriver(packageContext);
      default ->
          throw new MalformedMessage(
              "packages."
                  + name
                  + ".kind: expected one of agent, bundle, script, simulated, worker, found "
                  + its.kind());
    };
  }

  private static Driver openAgentDriver(String name, PackageContext packageContext, RunningAgent runningAgent) {
    @Nullable String run = System.getenv("UPLIFT_AGENT_RUN");
    try {
      return new AgentDriver(
          packageContext, runningAgent, run == null ? packageContext.packageFolder().resolve("run") : Path.of(run));
    } catch (StepFailed e) {
      throw new MalformedMessage("packages." + name + ": " + e.result());
    }
  }

  /// The handover of the agent's own package.
  static AgentHandover handoverOf(SortedMap<String, HostPackage> packages) {
    return agentDriver(packages).map(AgentDriver::agentHandover).orElse(AgentHandover.NONE);
  }

  /// The trial of the agent's own package.
  static AgentTrial trialOf(SortedMap<String, HostPackage> packages, String bootId) {
    @Nullable String uptime = System.getenv("UPLIFT_AGENT_UPTIME");
    Path uptimeFile = Path.of(uptime == null ? "/proc/uptime" : uptime);
    return agentDriver(packages).map(own -> own.trial(bootId, uptimeFile)).orElse(AgentTrial.NONE);
  }

  private static Optional<AgentDriver> agentDriver(SortedMap<String, HostPackage> packages) {
    for (HostPackage each : packages.values()) {
      if (each.driver() instanceof AgentDriver own) {
        return Optional.of(own);
      }
    }
    return Optional.empty();
  }
}
