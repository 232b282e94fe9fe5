package dev.uplift.cli.keys;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/// The folder of a tenant's trust roots.
final class RootFolderOption {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Folder of N.root.json and N.root.sig; default: here.")
  private Path path = Path.of(".");

  RootFolder folder() {
    return new RootFolder(path);
  }
}
