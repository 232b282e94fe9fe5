package dev.uplift.agent.driver.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.driver.bundle.Versions;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The folder of the agent on a host, which the launcher works in too. Nothing in it is ever erased
/// by an upgrade but its own marks.
///
/// The link `current` says which version is to run; the file `trial` that it is to be left unless a
/// commit comes; the file `reverted` why the last one was left.
final class Installation {
  private static final String COMMAND = "command";
  private static final String VERSION = "version";

  private final FileOps files;
  private final Path folder;
  private final Path run;
  private final Versions versions;

  /// @param run for what does not outlive a boot
  Installation(FileOps files, Path folder, Path run) {
    this.files = files;
    this.folder = folder;
    this.run = run;
    this.versions = new Versions(files, folder);
  }

  /// Why a version was left.
  ///
  /// @param command the one that had brought it
  record Reverted(String command, String version, String reason) {}

  Versions versions() {
    return versions;
  }

  Path folder() {
    return folder;
  }

  Path runtime(String id) {
    return folder.resolve("runtimes").resolve(id);
  }

  boolean isOnTrial(String version) throws IOException {
    return version.equals(read(folder.resolve("trial")).get(VERSION));
  }

  Optional<Reverted> reverted() throws IOException {
    Map<String, String> texts = read(folder.resolve("reverted"));
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new Reverted(
                texts.getOrDefault(COMMAND, ""),
                texts.getOrDefault(VERSION, ""),
                texts.getOrDefault("reason", "")));
  }

  /// What the agent that waits has said last: another text each time it has found the server.
  ///
  /// @return empty where none waits
  String sign() throws IOException {
    try {
      return Files.readString(run.resolve("standby"));
    } catch (NoSuchFileException _) {
      return "";
    }
  }

  static boolean isSignOf(String sign, String version) {
    return sign.lines().findFirst().filter(version::equals).isPresent();
  }

  /// From now on the launcher starts `version`, and goes back to `before` by itself. The swap of
  /// the link is the one moment of it: a mark without the swap is dropped by the launcher.
  void turnOnTrial(String version, String before, String command, Duration within)
      throws IOException {
    forget("reverted");
    forget("attempts");
    forget("since");
    write(
        "trial",
        Map.of(
            COMMAND,
            command,
            VERSION,
            version,
            "previous",
            before,
            "within_s",
            Long.toString(within.toSeconds())));
    turnTo(version, before);
    versions.unstage();
  }

  /// From now on the launcher starts `version`, come what may.
  void turnTo(String version, String before) throws IOException {
    versions.rememberAsPrevious(before);
    versions.use(version);
  }

  void turnBack(String to, Reverted why) throws IOException {
    write(
        "reverted",
        Map.of(
            COMMAND, why.command, VERSION, why.version, "reason", why.reason.replace('\n', ' ')));
    versions.use(to);
    endTrial();
  }

  String commandOfTrial() throws IOException {
    return read(folder.resolve("trial")).getOrDefault(COMMAND, "");
  }

  String versionBeforeTrial() throws IOException {
    return read(folder.resolve("trial")).getOrDefault("previous", "");
  }

  /// From now on nothing goes back by itself.
  void endTrial() throws IOException {
    forget("trial");
    forget("attempts");
    forget("since");
  }

  private void write(String name, Map<String, String> texts) throws IOException {
    files.write(folder.resolve(name), KeyValues.write(new TreeMap<>(texts)));
  }

  private void forget(String name) throws IOException {
    Path file = folder.resolve(name);
    if (Files.exists(file)) {
      files.delete(file);
      files.force(folder);
    }
  }

  private static SortedMap<String, String> read(Path file) throws IOException {
    try {
      return KeyValues.read(new String(Files.readAllBytes(file), UTF_8));
    } catch (NoSuchFileException _) {
      return new TreeMap<>();
    }
  }
}
