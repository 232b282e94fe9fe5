package dev.uplift.agent.driver.worker;

import dev.uplift.protocol.CommandAction;
import java.nio.file.Path;

/// An agent that does nothing but one `upgrade` by a worker: a program of its own, so that it can be killed. `FOLDER`;
/// prints the result.
final class WorkerRunner {
  private WorkerRunner() {}

  public static void main(String[] arguments) {
    WorkerHost host = new WorkerHost(Path.of(arguments[0]));
    System.out.println(host.driver().upgrade(WorkerHost.job("order-1", CommandAction.UPGRADE)));
  }
}
