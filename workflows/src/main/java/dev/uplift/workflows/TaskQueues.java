package dev.uplift.workflows;

/// Where workers and starters of workflows meet.
public final class TaskQueues {
  /// Device upgrades, and the activities that they need.
  public static final String UPGRADE = "upgrade";

  /// Rollouts and policies, and their activities. Separate, so that activities of an hour never keep an upgrade
  /// waiting.
  public static final String ROLLOUT = "rollout";

  /// Webhooks, and their activities. Separate, so that receivers that take their time keep nothing else waiting.
  public static final String WEBHOOK = "webhook";

  private TaskQueues() {}
}
