package dev.uplift.agent.driver.simulated;

import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.WireErrorClass;
import java.util.Optional;

/// A failure that was asked for: `fail_<verb>` is its class and code, `fail_<verb>_times` how often,
/// `fail_<verb>_percent` on how many hosts, `fail_<verb>_after` whether the work is done all the same.
record SimulatedFailure(CommandResult.Failed result, long times, long percent, boolean afterWork) {

  static Optional<SimulatedFailure> parse(String verb, PackageOptions packageOptions) throws StepFailed {
    String name = "fail_" + verb;
    Optional<String> text = packageOptions.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String[] words = text.get().strip().split(" +", 2);
    if (words.length < 2 || !words[1].matches("[a-z0-9]+(-[a-z0-9]+)*")) {
      throw packageOptions.invalid(name, "a class and a code");
    }
    WireErrorClass wireErrorClass = packageOptions.choice(name, words[0], WireErrorClass.values());
    return Optional.of(
        new SimulatedFailure(
            new CommandResult.Failed(words[1], wireErrorClass, verb + " fails, as was asked for"),
            packageOptions.number(name + "_times", Long.MAX_VALUE),
            packageOptions.number(name + "_percent", 100),
            packageOptions.flag(name + "_after")));
  }

  /// Always the same hosts for a release, others for another.
  boolean appliesTo(String host, String version) {
    return Math.floorMod((host + " " + version).hashCode() * 31, 100) < percent;
  }
}
