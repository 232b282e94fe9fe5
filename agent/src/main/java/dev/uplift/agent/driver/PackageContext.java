package dev.uplift.agent.driver;

import java.nio.file.Path;

/// What a driver is opened with: one package of one host, from the agent's configuration.
///
/// @param packageFolder of the package, for what is installed
/// @param stateFolder folder where the agent keeps what it has to remember of this package; created
///   when needed, lost without harm
/// @param settings of this host for this package
public record PackageContext(
    Host host, String packageName, Path packageFolder, Path stateFolder, PackageOptions settings) {
  public PackageContext {
    packageFolder = packageFolder.toAbsolutePath().normalize();
    stateFolder = stateFolder.toAbsolutePath().normalize();
  }
}
