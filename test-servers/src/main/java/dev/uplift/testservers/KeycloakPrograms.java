package dev.uplift.testservers;

import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.programs.ServerBinaries;
import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.io.FileUtils;

/// Keycloak's distribution, from Maven Central into the cache of server programs, once: 170 MB, half a minute. It is
/// prepared there for a database in memory, and appears by rename; concurrent builds wait for the first.
final class KeycloakPrograms {
  private static final String VERSION = "26.7.3";
  private static final String NAME = "keycloak-" + VERSION;

  private KeycloakPrograms() {}

  /// Returns its folder.
  static Path find() {
    Path cache = ServerBinaries.cacheFolder();
    Path home = cache.resolve(NAME);
    if (Files.isDirectory(home)) {
      return home;
    }
    try {
      Files.createDirectories(cache);
      try (FileChannel channel =
              FileChannel.open(cache.resolve(NAME + ".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        return Files.isDirectory(home) ? home : install(cache.resolve(NAME + ".part"), home);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Path install(Path part, Path home) throws IOException {
    FileUtils.deleteDirectory(part.toFile());
    Files.createDirectories(part);
    run(
        new ProcessBuilder(
                UpliftHome.find().resolve("mvnw").toString(),
                "-B",
                "-q",
                "-N",
                "dependency:copy",
                "-Dartifact=org.keycloak:keycloak-quarkus-dist:" + VERSION + ":zip",
                "-DoutputDirectory=" + part)
            .directory(UpliftHome.find().toFile()),
        part);
    Path zip = part.resolve("keycloak-quarkus-dist-" + VERSION + ".zip");
    unpack(zip, part);
    Files.delete(zip);
    run(command(part.resolve(NAME), "build", "--db=dev-mem", "--health-enabled=false"), part);
    Files.move(part.resolve(NAME), home, StandardCopyOption.ATOMIC_MOVE);
    FileUtils.deleteDirectory(part.toFile());
    return home;
  }

  private static void unpack(Path zip, Path folder) throws IOException {
    try (InputStream file = Files.newInputStream(zip);
        var entries = new ZipInputStream(file)) {
      for (ZipEntry entry = entries.getNextEntry(); entry != null; entry = entries.getNextEntry()) {
        Path target = folder.resolve(entry.getName()).normalize();
        if (!target.startsWith(folder)) {
          throw new IOException("an entry outside of the folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.resolveSibling(""));
          Files.copy(entries, target);
        }
      }
    }
  }

  /// A call of its command line, with the Java of this JVM.
  static ProcessBuilder command(Path home, String... arguments) {
    List<String> command = new ArrayList<>(List.of("bash", home.resolve("bin/kc.sh").toString()));
    command.addAll(List.of(arguments));
    var builder = new ProcessBuilder(command);
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().remove("JDK_JAVA_OPTIONS");
    return builder;
  }

  private static void run(ProcessBuilder builder, Path folder) throws IOException {
    Path log = folder.resolve("log");
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = Reaper.ofThisJvm().start(builder, "install.keycloak");
    try {
      process.getOutputStream().close();
      if (process.waitFor() != 0) {
        throw new StackException("could not install %s:%n%s".formatted(NAME, LogFile.tail(log)));
      }
    } catch (InterruptedException e) {
      process.destroy();
      throw StackException.interrupted("installing " + NAME, e);
    }
  }
}
