package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.StackException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The folder of Uplift's sources, where its built programs are: property `uplift.home`, else
/// variable `UPLIFT_HOME`, else the nearest folder upwards that looks like it.
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
    throw new StackException(
        "cannot find Uplift's folder: set UPLIFT_HOME to it, or start from within it");
  }
}
