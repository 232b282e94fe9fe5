package dev.uplift.agent.driver;

import dev.uplift.protocol.Heartbeat.State;

/// The state of the agent, as heartbeats show it. Safe for use by several threads.
public final class AgentState {
  private volatile State state = State.RUNNING;
  private volatile String upgradeError = "";
  private volatile long lastActivity = System.nanoTime();
  private volatile Runnable changed = () -> {};

  /// Told after each change.
  public void onChange(Runnable told) {
    changed = told;
  }

  public State state() {
    return state;
  }

  public void setState(State next) {
    state = next;
    changed.run();
  }

  /// Why the last upgrade of the agent itself came to nothing; empty where it did not.
  public String upgradeError() {
    return upgradeError;
  }

  public void setUpgradeError(String why) {
    upgradeError = why;
    changed.run();
  }

  /// The agent has come round once more.
  public void recordActivity() {
    lastActivity = System.nanoTime();
  }

  /// Time of the last one, by [System#nanoTime()].
  public long lastActivityNanos() {
    return lastActivity;
  }
}
