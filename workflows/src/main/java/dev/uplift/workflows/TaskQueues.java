package dev.uplift.workflows;

/// Where workers and starters of workflows meet.
public final class TaskQueues {
  /// Device upgrades, and the activities that they need.
  public static final String UPGRADE = "upgrade";

  private TaskQueues() {}
}
