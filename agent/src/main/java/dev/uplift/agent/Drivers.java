package dev.uplift.agent;

import dev.uplift.agent.AgentConfig.PackageConfig;
import dev.uplift.agent.core.HostPackage;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.bundle.BundleDriver;
import dev.uplift.agent.driver.script.ScriptDriver;
import dev.uplift.agent.driver.simulated.SimulatedDriver;
import dev.uplift.protocol.MalformedMessage;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/// Opens the driver of each package.
final class Drivers {
  private Drivers() {}

  /// @param state where drivers keep what they have to remember
  static SortedMap<String, HostPackage> open(AgentConfig config, Host host, Path state) {
    var packages = new TreeMap<String, HostPackage>();
    config
        .packages()
        .forEach((name, its) -> {
          Path memory = state.resolve(name);
          Path folder = its.folder().orElse(memory.resolve("files"));
          var setup = new Setup(host, name, folder, memory, Options.of(its.settings()));
          packages.put(name, new HostPackage(its.kind(), open(name, its, setup)));
        });
    return packages;
  }

  private static Driver open(String name, PackageConfig its, Setup setup) {
    return switch (its.kind()) {
      case "bundle" -> new BundleDriver(setup);
      case "script" -> new ScriptDriver(setup);
      case "simulated" -> SimulatedDriver.open(setup);
      default ->
          throw new MalformedMessage(
              "packages."
                  + name
                  + ".kind: expected one of bundle, script, simulated, found "
                  + its.kind());
    };
  }
}
