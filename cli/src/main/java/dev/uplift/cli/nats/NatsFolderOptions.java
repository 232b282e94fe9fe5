package dev.uplift.cli.nats;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Folders of the keys of NATS.
final class NatsFolderOptions {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder of the keys and everything derived from them; default: here.")
  private Path folder = Path.of(".");

  @Option(
      names = "--offline",
      paramLabel = "DIR",
      description = "Folder of the keys that are only used offline; default: `offline` in the folder.")
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
