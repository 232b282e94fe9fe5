package dev.uplift.agent.driver.script;

import dev.uplift.agent.driver.HaltRequest;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.StepEnvironment;
import dev.uplift.agent.driver.process.Program;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/// Builds the call of an operator's program: the contract with its author.
///
/// @param scriptStateFolder folder in which the programs may keep data between steps
record ScriptInvocation(PackageContext packageContext, Path scriptStateFolder) {

  Program forInspect() {
    return program(Verb.INSPECT, List.of(), environment().of(Verb.INSPECT.scriptName()));
  }

  Program forVerb(Verb verb, Job job, String versionNow, Optional<Path> artifact) {
    return program(
        verb, List.of(job.command().version()), environment().of(verb.scriptName(), job, versionNow, artifact));
  }

  Program forHalt(Verb verb, HaltRequest request) {
    SortedMap<String, String> variables = environment().of(verb.scriptName());
    variables.put("UPLIFT_COMMAND_ID", request.id());
    variables.put("UPLIFT_BARRIER", request.barrier());
    variables.put("UPLIFT_HALTED_UNTIL", request.until().toString());
    return program(verb, List.of(request.barrier()), variables);
  }

  private StepEnvironment environment() {
    return new StepEnvironment(packageContext, scriptStateFolder);
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
