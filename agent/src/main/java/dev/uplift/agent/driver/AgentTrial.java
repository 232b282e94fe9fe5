package dev.uplift.agent.driver;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/// The trial of the version of the agent that works: the launcher rolls it back unless it is renewed in time, or ended
/// by a `commit`.
public interface AgentTrial {
  AgentTrial NONE =
      new AgentTrial() {
        @Override
        public Optional<Duration> timeout() {
          return Optional.empty();
        }

        @Override
        public void renew() {
          throw new IllegalStateException("there is no trial");
        }
      };

  /// Returns how long it lasts without a renewal; empty if there is none, or it has ended.
  Optional<Duration> timeout() throws IOException;

  /// Has its time begin again. Does nothing as long as it has not begun.
  void renew() throws IOException;
}
