package dev.uplift.cli.keys;

import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Where the roots of a tenant lie.
final class RootFolderOption {
  @Option(
      names = "--folder",
      paramLabel = "DIR",
      defaultValue = ".",
      description = "Holds N.root.json and N.root.sig; default: here.")
  private Path path = Path.of(".");

  Path path() {
    return path;
  }

  RootFolder folder() {
    return new RootFolder(path);
  }
}
