package dev.uplift.cli;

import dev.uplift.temporaldev.NatsKeys;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where the keys of NATS lie.
final class NatsPlace {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Of the keys and what is made of them; default: here.")
  private Path folder = Path.of(".");

  @Option(
      names = "--offline",
      paramLabel = "DIR",
      description = "Of the keys that nothing that runs reads; default: `offline` in the folder.")
  private @Nullable Path offline;

  Path folder() {
    return folder;
  }

  Path offline() {
    return offline == null ? folder.resolve("offline") : offline;
  }

  NatsKeys keys() {
    return new NatsKeys(folder, offline());
  }
}
