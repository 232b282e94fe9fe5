package dev.uplift.cli.nats;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Where the keys of NATS lie.
final class NatsFolderOptions {
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

  NatsKeyFolder keys() {
    return new NatsKeyFolder(folder, offline());
  }
}
