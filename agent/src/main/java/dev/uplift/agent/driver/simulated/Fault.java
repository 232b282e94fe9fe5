package dev.uplift.agent.driver.simulated;

import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.ErrorClass;
import dev.uplift.protocol.Result;
import java.util.Optional;

/// A failure that was asked for: `fail_<verb>` is its class and code, `fail_<verb>_times` how
/// often, `fail_<verb>_percent` on how many hosts, `fail_<verb>_after` whether the work is done all
/// the same.
record Fault(Result.Failed result, long times, long percent, boolean after) {

  static Optional<Fault> of(String verb, Options options) throws StepFailed {
    String name = "fail_" + verb;
    Optional<String> text = options.text(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    String[] words = text.get().strip().split(" +", 2);
    if (words.length < 2 || !words[1].matches("[a-z0-9]+(-[a-z0-9]+)*")) {
      throw options.bad(name, "a class and a code");
    }
    ErrorClass errorClass = options.word(name, words[0], ErrorClass.values());
    return Optional.of(
        new Fault(
            new Result.Failed(words[1], errorClass, verb + " fails, as was asked for"),
            options.number(name + "_times", Long.MAX_VALUE),
            options.number(name + "_percent", 100),
            options.flag(name + "_after")));
  }

  /// Always the same hosts for a release, others for another.
  boolean hits(String host, String version) {
    return Math.floorMod((host + " " + version).hashCode() * 31, 100) < percent;
  }
}
