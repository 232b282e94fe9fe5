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
          throw new IllegalStateException("nobody is there to take over");
        }
      };

  /// Whether another agent has been started. Nothing else is begun meanwhile.
  boolean isInProgress();

  /// From now on the other one is not ended any more: it is to take over.
  ///
  /// @throws StepFailed `no-successor` where nobody waits, or it has not been heard of for too long
  void confirmSuccessor() throws StepFailed;

  /// Ends this process, and well.
  void exitProcess();
}
