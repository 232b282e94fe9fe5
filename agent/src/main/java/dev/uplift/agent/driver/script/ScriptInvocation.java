package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.process.Program;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Builds the call of an operator's program: the contract with its author.
///
/// @param scriptStateFolder folder in which the programs may keep data between steps
record ScriptInvocation(PackageContext packageContext, Path scriptStateFolder) {

  Program forInspect() {
    return program(Verb.INSPECT, List.of(), commonEnvironment(Verb.INSPECT));
  }

  Program forVerb(Verb verb, Job job, String versionNow, Optional<Path> artifact) {
    Command command = job.command();
    ReleaseManifest release = job.release();
    var environment = commonEnvironment(verb);
    new PackageOptions(release.arguments()).addToEnvironment(environment, "UPLIFT_ARG_");
    environment.put("UPLIFT_COMMAND_ID", command.id());
    environment.put("UPLIFT_VERSION", command.version());
    environment.put("UPLIFT_RELEASE_VERSION", release.version());
    environment.put("UPLIFT_CURRENT_VERSION", versionNow);
    release
        .artifact()
        .ifPresent(file -> {
          environment.put("UPLIFT_DIGEST", file.sha256());
          environment.put("UPLIFT_SIZE", Long.toString(file.size()));
        });
    artifact.ifPresent(file -> environment.put("UPLIFT_ARTIFACT", file.toString()));
    return program(verb, List.of(command.version()), environment);
  }

  private SortedMap<String, String> commonEnvironment(Verb verb) {
    Host host = packageContext.host();
    var environment = new TreeMap<String, String>();
    packageContext.settings().addToEnvironment(environment, "UPLIFT_SETTING_");
    environment.put("UPLIFT_STEP", verb.scriptName());
    environment.put("UPLIFT_TENANT", host.tenant());
    environment.put("UPLIFT_HOST", host.name());
    environment.put("UPLIFT_PACKAGE", packageContext.packageName());
    environment.put("UPLIFT_STATE_FOLDER", scriptStateFolder.toString());
    return environment;
  }

  Path executable(Verb verb) {
    return packageContext.packageFolder().resolve(verb.scriptName());
  }

  private Program program(Verb verb, List<String> arguments, SortedMap<String, String> environment) {
    var line = new ArrayList<>(List.of(executable(verb).toString()));
    line.addAll(arguments);
    return new Program(List.copyOf(line), packageContext.packageFolder(), environment);
  }
}
