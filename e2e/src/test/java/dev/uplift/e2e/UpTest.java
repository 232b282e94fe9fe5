package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.uplift.cli.rest.CliException;
import dev.uplift.temporaldev.programs.UpliftHome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.commons.io.function.Uncheck;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// `uplift up`, followed by the commands of the pages.
final class UpTest {
  private static final Duration TIMEOUT = Duration.ofMinutes(3);
  private static final Pattern NAMED = Pattern.compile("\\$UPLIFT_STACK_FOLDER/(secrets/[A-Za-z0-9_./-]+)");

  private static final Pattern VARIABLE = Pattern.compile("(?m)^export (\\w+)='([^']*)'$");

  @TempDir private Path folder;
  private Map<String, String> environment = Map.of();

  @Test
  void everySecretNamedByThePagesExists() throws Exception {
    try (var _ = startUp()) {
      assertThat(named(UpliftHome.find().resolve("docs")))
          .isNotEmpty()
          .allSatisfy(name -> assertThat(place().resolve(name)).exists());
    }
  }

  /// Over TLS, through the load balancer, with an artifact from it.
  @Test
  @Timeout(900)
  void aHostOfAClusterJoinsAndIsUpgraded() throws Exception {
    try (var _ = startUp("--cluster")) {
      environment = environmentOf(place());
      assertThat(run("doctor")).as(this::said).isIn(0, CliException.WARNINGS);

      runWell("device", "put", "shop", "--host", "till-1");
      String archive = bundle().toString();
      String release = folder.resolve("release").toString();
      String key = environment.get("UPLIFT_RELEASE_KEY");
      runWell(
          ("release sign --package till --kind bundle --version 1.0 --sequence 1 --argument restart=bin/restart"
                  + " --argument health=bin/health --key %s --artifact %s --folder %s")
              .formatted(key, archive, release)
              .split(" ", -1));
      runWell("release", "publish", release, "--artifact", archive);
      String token = folder.resolve("token").toString();
      runWell("enrol", "--device", "shop", "--host", "till-1", "--output", token);
      Path host = folder.resolve("host");
      runWell("agent", "init", host.toString(), "--token", token, "--package", "till=bundle");
      try (var _ = start("agent", "start", host.toString())) {
        runWell("upgrade", "start", "shop", "--package", "till", "--version", "1.0", "--watch");
      }
    }
  }

  /// Ends with its process.
  private record Running(Process process) implements AutoCloseable {
    @Override
    public void close() {
      process.destroy();
      try {
        if (!process.waitFor(60, TimeUnit.SECONDS)) {
          process.destroyForcibly();
        }
      } catch (InterruptedException _) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  private Path place() {
    return folder.resolve("up");
  }

  private Running startUp(String... options) throws Exception {
    List<String> words = new ArrayList<>(List.of("up", "--folder", place().toString()));
    words.addAll(List.of(options));
    Running up = start(words.toArray(String[]::new));
    try {
      await()
          .atMost(TIMEOUT)
          .failFast(() -> assertThat(up.process().isAlive()).as(this::said).isTrue())
          .until(() -> said().contains("Ctrl-C ends it"));
      return up;
    } catch (RuntimeException | AssertionError e) {
      up.close();
      throw e;
    }
  }

  private Running start(String... words) throws Exception {
    return new Running(UpliftCommand.start(folder.resolve("said"), environment, List.of(words)));
  }

  private int run(String... words) throws Exception {
    try (Running command = start(words)) {
      assertThat(command.process().waitFor(TIMEOUT)).as(this::said).isTrue();
      return command.process().exitValue();
    }
  }

  private void runWell(String... words) throws Exception {
    assertThat(run(words)).as(this::said).isZero();
  }

  private String said() {
    Path file = folder.resolve("said");
    return Files.exists(file) ? Uncheck.get(() -> Files.readString(file)) : "";
  }

  /// Returns the variables that `. FOLDER/env` sets.
  private static Map<String, String> environmentOf(Path place) throws IOException {
    return VARIABLE
        .matcher(Files.readString(place.resolve("env")))
        .results()
        .collect(Collectors.toMap(line -> line.group(1), line -> line.group(2)));
  }

  /// Returns the archive of a service whose health is that it was started.
  private Path bundle() throws Exception {
    Path programs = Files.createDirectories(folder.resolve("till/bin"));
    writeProgram(programs.resolve("restart"), "date >>\"$UPLIFT_FOLDER/started\"");
    writeProgram(programs.resolve("health"), "test -s \"$UPLIFT_FOLDER/started\"");
    Path archive = folder.resolve("till.tar.gz");
    var tar = new ProcessBuilder("tar", "-C", folder.resolve("till").toString(), "-czf", archive.toString(), ".");
    assertThat(tar.inheritIO().start().waitFor()).isZero();
    return archive;
  }

  private static void writeProgram(Path file, String line) throws IOException {
    Files.writeString(file, "#!/bin/sh\n" + line + "\n");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
  }

  private static Set<String> named(Path pages) throws IOException {
    var names = new TreeSet<String>();
    try (Stream<Path> all = Files.list(pages)) {
      for (Path page : all.filter(each -> each.toString().endsWith(".md")).toList()) {
        NAMED.matcher(Files.readString(page)).results().forEach(it -> names.add(it.group(1)));
      }
    }
    return names;
  }
}
