package dev.uplift.agent.driver;

import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The environment of an operator's program that carries out a step: a part of the contract with its author.
///
/// @param programStateFolder folder in which the programs may keep data between steps
public record StepEnvironment(PackageContext packageContext, Path programStateFolder) {

  /// The variables that are known without a command.
  ///
  /// @param step what the program is asked for
  public SortedMap<String, String> of(String step) {
    Host host = packageContext.host();
    var environment = new TreeMap<String, String>();
    packageContext.settings().addToEnvironment(environment, "UPLIFT_SETTING_");
    environment.put("UPLIFT_STEP", step);
    environment.put("UPLIFT_TENANT", host.tenant());
    environment.put("UPLIFT_HOST", host.name());
    environment.put("UPLIFT_PACKAGE", packageContext.packageName());
    environment.put("UPLIFT_STATE_FOLDER", programStateFolder.toString());
    return environment;
  }

  /// The variables of a command with a release.
  ///
  /// @param versionNow as measured
  /// @param artifact the verified file, if the program gets one
  public SortedMap<String, String> of(String step, Job job, String versionNow, Optional<Path> artifact) {
    ReleaseManifest release = job.release();
    SortedMap<String, String> environment = of(step, job.command());
    new PackageOptions(release.arguments()).addToEnvironment(environment, "UPLIFT_ARG_");
    environment.put("UPLIFT_RELEASE_VERSION", release.version());
    environment.put("UPLIFT_CURRENT_VERSION", versionNow);
    release
        .artifact()
        .ifPresent(file -> {
          environment.put("UPLIFT_DIGEST", file.sha256());
          environment.put("UPLIFT_SIZE", Long.toString(file.size()));
        });
    artifact.ifPresent(file -> environment.put("UPLIFT_ARTIFACT", file.toString()));
    return environment;
  }

  /// The variables of a command without a release.
  public SortedMap<String, String> of(String step, Command command) {
    SortedMap<String, String> environment = of(step);
    environment.put("UPLIFT_COMMAND_ID", command.id());
    environment.put("UPLIFT_VERSION", command.version());
    return environment;
  }
}
