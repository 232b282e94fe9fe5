package dev.uplift.agent.driver;

/// The agent that may take over from this one, as the rest of this one sees it.
public interface AgentHandover {
  AgentHandover NONE =
      new AgentHandover() {
        @Override
        public boolean isInProgress() {
          return false;
        }

        @Override
        public void confirmSuccessor() throws StepFailed {
          throw StepFailed.fatal("no-successor", "no other agent of this host waits to take over");
        }

        @Override
        public void exitProcess() {
          throw new IllegalStateException("there is no agent to take over");
        }
      };

  /// Returns whether another agent has been started. No other work is begun meanwhile.
  boolean isInProgress();

  /// Confirms the successor: from now on it is not ended any more.
  ///
  /// @throws StepFailed `no-successor` if none waits, or it has been silent for too long
  void confirmSuccessor() throws StepFailed;

  /// Ends this process, and well.
  void exitProcess();
}
