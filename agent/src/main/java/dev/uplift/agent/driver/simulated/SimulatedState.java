package dev.uplift.agent.driver.simulated;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/// The stored state of a simulated package.
public interface SimulatedState {
  SortedMap<String, String> load() throws IOException;

  void save(SortedMap<String, String> texts) throws IOException;

  /// Lasts as long as the process.
  static SimulatedState inMemory() {
    return new SimulatedState() {
      private SortedMap<String, String> kept = new TreeMap<>();

      @Override
      public SortedMap<String, String> load() {
        return new TreeMap<>(kept);
      }

      @Override
      public void save(SortedMap<String, String> texts) {
        kept = new TreeMap<>(texts);
      }
    };
  }

  /// Survives whatever the disk survives.
  static SimulatedState inFile(FileOps files, Path folder) {
    Path file = folder.resolve("simulated");
    return new SimulatedState() {
      @Override
      public SortedMap<String, String> load() throws IOException {
        try {
          return KeyValues.read(Files.readString(file, UTF_8));
        } catch (NoSuchFileException _) {
          return new TreeMap<>();
        }
      }

      @Override
      public void save(SortedMap<String, String> texts) throws IOException {
        files.createFolders(folder);
        files.write(file, KeyValues.write(texts));
      }
    };
  }
}
