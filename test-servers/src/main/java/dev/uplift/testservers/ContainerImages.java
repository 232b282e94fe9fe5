package dev.uplift.testservers;

import dev.uplift.temporaldev.process.SystemCommands;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import org.testcontainers.utility.DockerImageName;
import org.testcontainers.utility.ImageNameSubstitutor;

/// The images, by the programs in them, and whether the container engine of this machine has them.
final class ContainerImages {
  private static final int FETCHED_WITHIN_MIN = 5;
  private static final Properties NAMES = read();

  private ContainerImages() {}

  private static Properties read() {
    var names = new Properties();
    try (InputStream in = ContainerImages.class.getResourceAsStream("images.properties")) {
      names.load(in);
      return names;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static DockerImageName of(String program) {
    return DockerImageName.parse(NAMES.getProperty(program));
  }

  /// Returns why containers cannot be used; empty if they can. Fast; fetches nothing.
  static Optional<String> missing() {
    if (!hasEngine()) {
      return Optional.of("no container engine of this machine answers");
    }
    List<String> absent = absent();
    return absent.isEmpty()
        ? Optional.empty()
        : Optional.of("the container engine has no " + String.join(", ", absent));
  }

  /// Tries once each, until one cannot be had: where there is no registry, that is said at once.
  static void fetch() {
    if (hasEngine()) {
      var _ = absent().stream().allMatch(ContainerImages::fetch);
    }
  }

  /// Containers share our network and our users, so the engine has to run here, and by root.
  private static boolean hasEngine() {
    try {
      String here = Files.readString(Path.of("/proc/sys/kernel/hostname")).strip() + " ";
      return SystemCommands.run(List.of("docker", "info", "--format", "{{.Name}} {{.SecurityOptions}}")).stream()
          .flatMap(String::lines)
          .anyMatch(line -> line.startsWith(here) && !line.contains("name=rootless"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> absent() {
    return NAMES.values().stream()
        .map(name -> DockerImageName.parse(name.toString()))
        .map(name -> ImageNameSubstitutor.instance().apply(name).asCanonicalNameString())
        .filter(name -> SystemCommands.run(List.of("docker", "image", "inspect", name)).isEmpty())
        .sorted()
        .toList();
  }

  private static boolean fetch(String image) {
    System.out.println("fetching the image " + image + ", once");
    try {
      Process pull = new ProcessBuilder("docker", "pull", "--quiet", image).inheritIO().start();
      try {
        return pull.waitFor(FETCHED_WITHIN_MIN, TimeUnit.MINUTES) && pull.exitValue() == 0;
      } finally {
        pull.destroy();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
