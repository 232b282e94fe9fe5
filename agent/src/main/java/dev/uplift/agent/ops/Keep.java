package dev.uplift.agent.ops;

import java.io.IOException;
import java.util.List;

/// Where the memory of commands is kept. What was saved is there after a loss of power.
interface Keep {
  List<Op> ops() throws IOException;

  Counters counters() throws IOException;

  void save(Op op) throws IOException;

  void save(Counters counters) throws IOException;

  void drop(String id) throws IOException;

  /// Forgets all when the process ends.
  Keep NOWHERE =
      new Keep() {
        @Override
        public List<Op> ops() {
          return List.of();
        }

        @Override
        public Counters counters() {
          return Counters.NONE;
        }

        @Override
        public void save(Op op) {}

        @Override
        public void save(Counters counters) {}

        @Override
        public void drop(String id) {}
      };
}
