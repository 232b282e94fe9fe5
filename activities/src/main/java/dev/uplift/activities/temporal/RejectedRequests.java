package dev.uplift.activities.temporal;

/// Receives what was sent to a workflow by other means than a server of ours.
@FunctionalInterface
public interface RejectedRequests {
  /// Records it. Returns at once and never throws: workflow code calls it.
  ///
  /// @param workflow its type
  /// @param input of the workflow, which may be anything
  /// @param what was sent, for people
  void record(String workflow, Object[] input, String what);
}
