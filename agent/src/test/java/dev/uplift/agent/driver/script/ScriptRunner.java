package dev.uplift.agent.driver.script;

import dev.uplift.protocol.CommandAction;
import java.nio.file.Path;

/// An agent that does nothing but one `upgrade` by script: a program of its own, so that it can be killed. `FOLDER`;
/// prints the result.
final class ScriptRunner {
  private ScriptRunner() {}

  public static void main(String[] arguments) {
    ScriptHost host = new ScriptHost(Path.of(arguments[0]));
    System.out.println(host.driver().upgrade(ScriptHost.job("order-1", CommandAction.UPGRADE)));
  }
}
