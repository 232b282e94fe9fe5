package dev.uplift.agent.journal;

import java.io.IOException;
import java.util.List;

/// Stores the memory of commands. A saved state survives a loss of power.
interface JournalStore {
  List<CommandRecord> records() throws IOException;

  Counters counters() throws IOException;

  void save(CommandRecord commandRecord) throws IOException;

  void save(Counters counters) throws IOException;

  void delete(String id) throws IOException;

  /// Forgets all when the process ends.
  JournalStore IN_MEMORY =
      new JournalStore() {
        @Override
        public List<CommandRecord> records() {
          return List.of();
        }

        @Override
        public Counters counters() {
          return Counters.NONE;
        }

        @Override
        public void save(CommandRecord commandRecord) {}

        @Override
        public void save(Counters counters) {}

        @Override
        public void delete(String id) {}
      };
}
