package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.LogFile;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.process.SystemCommands;
import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.commons.io.file.PathUtils;

/// The server as an earlier commit of these sources builds it, to run beside the one of today.
///
/// @param home the folder of the sources
/// @param commit its whole id
/// @param why it is this one, for people
public record PreviousBuild(Path home, String commit, String why) {
  /// Servers before it and today's break the replay of each other's upgrades: what a step returns decided which steps
  /// follow, and only one of them knew. Holds until there is a release.
  static final String BASELINE = "0a4f369a057df88ba98e98724bb486a148922e54";

  /// Files that no commit after a release changes or removes.
  private static final List<String> FROZEN =
      List.of("store/src/main/resources/dev/uplift/store/migration", "workflows/src/test/resources");

  private static final List<String> SERVER_MODULES =
      List.of("fleet", "protocol", "workflows", "store", "services", "activities", "openapi", "api");

  /// Of the Maven that runs this, whose folder is another.
  private static final List<String> FOLDER_VARIABLES =
      List.of("MAVEN_BASEDIR", "MAVEN_PROJECTBASEDIR", "MAVEN_CMD_LINE_ARGS");

  private static final long BUILD_TIMEOUT_MINUTES = 15;

  /// Returns that of the last release before the current commit. Until there is a release it is the oldest one of which
  /// is promised that it works beside today's: as old as the last change of a file that a release freezes. Empty if the
  /// sources have no history, or not all of it.
  public static Optional<PreviousBuild> find(Path home) {
    if (!git(home, "rev-parse", "--is-shallow-repository").equals(Optional.of("false"))) {
      return Optional.empty();
    }
    Optional<String> release =
        git(home, "describe", "--tags", "--abbrev=0", "--match", "v[0-9]*", "HEAD^").filter(tag -> !tag.isEmpty());
    if (release.isPresent()) {
      return release.flatMap(tag -> at(home, tag));
    }
    List<String> log = new ArrayList<>(List.of("log", "-1", "--format=%H", "--diff-filter=MDR", "HEAD", "--"));
    log.addAll(FROZEN);
    Optional<String> lastChange = git(home, log.toArray(String[]::new)).filter(commit -> !commit.isEmpty());
    if (lastChange.isPresent() && !isAncestor(home, lastChange.get(), BASELINE)) {
      return lastChange.map(commit -> new PreviousBuild(home, commit, "the last to change tables or histories"));
    }
    return isAncestor(home, BASELINE, "HEAD")
        ? Optional.of(new PreviousBuild(home, BASELINE, "the first that works beside later ones"))
        : Optional.empty();
  }

  /// Returns that of a commit, by any name that git knows; empty if there is none.
  public static Optional<PreviousBuild> at(Path home, String revision) {
    return git(home, "rev-parse", "--verify", "--quiet", revision + "^{commit}")
        .map(commit -> new PreviousBuild(home, commit, revision));
  }

  private static boolean isAncestor(Path home, String older, String newer) {
    return git(home, "merge-base", "--is-ancestor", older, newer).isPresent();
  }

  private static Optional<String> git(Path home, String... arguments) {
    List<String> command = new ArrayList<>(List.of("git", "-C", home.toString()));
    command.addAll(List.of(arguments));
    return SystemCommands.run(command).map(String::strip);
  }

  /// Returns the class path of its server, which is built at the first use, to `$XDG_CACHE_HOME/uplift/builds`.
  public String serverClassPath(Consumer<String> progress) {
    if (isSameCode()) {
      progress.accept("%s has the same server as these sources".formatted(shortName()));
      return ProgramLocator.serverClassPath();
    }
    Path builds = ServerBinaries.cacheFolder().resolveSibling("builds");
    Path program = builds.resolve(commit);
    try {
      Files.createDirectories(builds);
      try (var channel =
              FileChannel.open(builds.resolve(".lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
          var _ = channel.lock()) {
        if (!Files.isDirectory(program)) {
          build(builds, program, progress);
        }
      }
    } catch (IOException e) {
      throw new StackException("cannot store a build in %s: %s".formatted(builds, e), e);
    }
    return program + File.separator + "*";
  }

  /// Returns the beginning of its id, and why it is this one.
  public String title() {
    return "%s (%s)".formatted(shortName(), why);
  }

  private String shortName() {
    return commit.substring(0, 10);
  }

  private boolean isSameCode() {
    List<String> arguments = new ArrayList<>(List.of("diff", "--quiet", commit, "--", "pom.xml"));
    SERVER_MODULES.forEach(module -> arguments.addAll(List.of(module + "/pom.xml", module + "/src/main")));
    return git(home, arguments.toArray(String[]::new)).isPresent();
  }

  private void build(Path builds, Path program, Consumer<String> progress) throws IOException {
    progress.accept("building the server of %s, once (takes minutes)".formatted(shortName()));
    Path sources = builds.resolve(commit + ".sources");
    Path log = builds.resolve(commit + ".log");
    long start = System.nanoTime();
    deleteIfPresent(sources);
    Files.createDirectories(sources);
    try {
      Path archive = sources.resolve("sources.tar");
      run(builds, log, "git", "-C", home.toString(), "archive", "--format=tar", "--output", archive.toString(), commit);
      run(sources, log, "tar", "-xf", archive.toString());
      run(
          sources,
          log,
          "./mvnw",
          "-B",
          "-q",
          "-pl",
          "api",
          "-am",
          "-DskipTests",
          "-Dmaven.test.skip=true",
          "-Dspotless.check.skip=true",
          "package");
      Files.move(sources.resolve("api/target/program"), program, StandardCopyOption.ATOMIC_MOVE);
      Files.delete(log);
    } finally {
      deleteIfPresent(sources);
    }
    progress.accept("built it in %d s".formatted((System.nanoTime() - start) / 1_000_000_000));
  }

  private static void deleteIfPresent(Path folder) throws IOException {
    if (Files.exists(folder)) {
      PathUtils.deleteDirectory(folder);
    }
  }

  private static void run(Path folder, Path log, String... command) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    builder.environment().keySet().removeAll(FOLDER_VARIABLES);
    Process process = Reaper.ofThisJvm().start(builder, "build.previous");
    try {
      process.getOutputStream().close();
      boolean ended = process.waitFor(BUILD_TIMEOUT_MINUTES, TimeUnit.MINUTES);
      if (!ended || process.exitValue() != 0) {
        process.destroyForcibly();
        throw new StackException("could not run %s:%n%s".formatted(String.join(" ", command), LogFile.tail(log)));
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      throw StackException.interrupted("building an earlier server", e);
    }
  }
}
