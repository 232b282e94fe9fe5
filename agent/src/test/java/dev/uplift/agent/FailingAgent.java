package dev.uplift.agent;

import java.util.concurrent.CountDownLatch;

/// A process that ends as an agent does after an internal error: one of its threads fails, and all others wait on.
final class FailingAgent {
  private FailingAgent() {}

  public static void main(String[] arguments) throws InterruptedException {
    Agent.exitOnInternalError();
    Thread.ofVirtual()
        .name("worker of acme.left")
        .start(() -> {
          throw new IllegalStateException("nobody has thought of this");
        });
    new CountDownLatch(1).await();
  }
}
