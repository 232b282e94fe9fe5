package dev.uplift.store.command;

/// The activity that waits. Its id stays the same over all attempts, as a task token does not.
public record WaitingActivity(String workflowId, String activityId) {}
