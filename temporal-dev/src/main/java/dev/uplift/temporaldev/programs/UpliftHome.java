package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.StackException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// Finds the folder of Uplift's sources with its built programs: property `uplift.home`, else variable `UPLIFT_HOME`,
/// else the nearest matching parent folder.
public final class UpliftHome {
  private UpliftHome() {}

  public static Path find() {
    String named =
        Optional.ofNullable(System.getProperty("uplift.home"))
            .or(() -> Optional.ofNullable(System.getenv("UPLIFT_HOME")))
            .orElse("");
    if (!named.isEmpty()) {
      return Path.of(named).toAbsolutePath().normalize();
    }
    for (Path folder = Path.of("").toAbsolutePath(); folder != null; folder = folder.getParent()) {
      if (Files.exists(folder.resolve("mvnw")) && Files.exists(folder.resolve("temporal-dev"))) {
        return folder;
      }
    }
    throw new StackException("cannot find Uplift's folder: set UPLIFT_HOME to it, or start from within it");
  }
}
