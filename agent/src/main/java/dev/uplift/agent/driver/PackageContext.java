package dev.uplift.agent.driver;

import java.nio.file.Path;

/// One package of one host, from the agent's configuration.
///
/// @param packageFolder for what is installed
/// @param stateFolder for what the driver has to remember; created when needed, lost without harm
/// @param settings of this host for this package
public record PackageContext(
    Host host, String packageName, Path packageFolder, Path stateFolder, PackageOptions settings) {
  public PackageContext {
    packageFolder = packageFolder.toAbsolutePath().normalize();
    stateFolder = stateFolder.toAbsolutePath().normalize();
  }
}
