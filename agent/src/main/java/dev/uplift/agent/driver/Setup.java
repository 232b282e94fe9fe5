package dev.uplift.agent.driver;

import java.nio.file.Path;

/// What a driver is opened with: one package of one host, from the agent's configuration.
///
/// @param folder of the package, for what is installed
/// @param state folder where the agent keeps what it has to remember of this package; created when
///   needed, lost without harm
/// @param settings of this host for this package
public record Setup(Host host, String packageName, Path folder, Path state, Options settings) {
  public Setup {
    folder = folder.toAbsolutePath().normalize();
    state = state.toAbsolutePath().normalize();
  }
}
