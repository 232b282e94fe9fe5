package dev.uplift.agent.driver;

/// The agent that may take over from this one, as the rest of this one sees it.
public interface Succession {
  Succession NONE =
      new Succession() {
        @Override
        public boolean isUnderWay() {
          return false;
        }

        @Override
        public void release() throws StepFailed {
          throw StepFailed.fatal("no-successor", "no other agent of this host waits to take over");
        }

        @Override
        public void leave() {
          throw new IllegalStateException("nobody is there to take over");
        }
      };

  /// Whether another agent has been started. Nothing else is begun meanwhile.
  boolean isUnderWay();

  /// From now on the other one is not ended any more: it is to take over.
  ///
  /// @throws StepFailed `no-successor` where nobody waits, or it has not been heard of for too long
  void release() throws StepFailed;

  /// Ends this process, and well.
  void leave();
}
