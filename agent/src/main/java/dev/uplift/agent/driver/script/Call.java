package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.Host;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.session.Program;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What an operator's program is called with: the contract with whoever writes it.
///
/// @param keep folder in which the programs may keep what they like between verbs
record Call(Setup setup, Path keep) {

  Program inspect() {
    return program(Verb.INSPECT, List.of(), common(Verb.INSPECT));
  }

  Program of(Verb verb, Job job, String versionNow, Optional<Path> artifact) {
    Command command = job.command();
    ReleaseManifest release = job.release();
    var environment = common(verb);
    new Options(release.arguments()).addTo(environment, "UPLIFT_ARG_");
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

  private SortedMap<String, String> common(Verb verb) {
    Host host = setup.host();
    var environment = new TreeMap<String, String>();
    setup.settings().addTo(environment, "UPLIFT_SETTING_");
    environment.put("UPLIFT_VERB", verb.word());
    environment.put("UPLIFT_TENANT", host.tenant());
    environment.put("UPLIFT_HOST", host.name());
    environment.put("UPLIFT_PACKAGE", setup.packageName());
    environment.put("UPLIFT_KEEP", keep.toString());
    return environment;
  }

  Path executable(Verb verb) {
    return setup.folder().resolve(verb.word());
  }

  private Program program(
      Verb verb, List<String> arguments, SortedMap<String, String> environment) {
    var line = new ArrayList<>(List.of(executable(verb).toString()));
    line.addAll(arguments);
    return new Program(List.copyOf(line), setup.folder(), environment);
  }
}
