package dev.uplift.agent.driver.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.driver.bundle.VersionFolders;
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

/// The folder of the agent on a host, which the launcher works in too. Nothing in it is ever erased by an upgrade but
/// its own marks.
///
/// The link `current` says which version is to run; the file `trial` that it is to be left unless a commit comes; the
/// file `rolled-back` why the last one was left.
final class AgentInstallation {
  private static final String COMMAND = "command";
  private static final String VERSION = "version";

  private final FileOps files;
  private final Path folder;
  private final Path runFolder;
  private final VersionFolders versions;

  /// @param runFolder for what does not outlive a boot
  AgentInstallation(FileOps files, Path folder, Path runFolder) {
    this.files = files;
    this.folder = folder;
    this.runFolder = runFolder;
    this.versions = new VersionFolders(files, folder);
  }

  /// Why a version was left.
  ///
  /// @param command the one that had brought it
  record RolledBack(String command, String version, String reason) {}

  VersionFolders versions() {
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

  Optional<RolledBack> rolledBack() throws IOException {
    Map<String, String> texts = read(folder.resolve("rolled-back"));
    return texts.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new RolledBack(
                texts.getOrDefault(COMMAND, ""), texts.getOrDefault(VERSION, ""), texts.getOrDefault("reason", "")));
  }

  /// The latest sign of the agent that stands by: another text each time it has reached the server.
  ///
  /// @return empty if none stands by
  String standbySign() throws IOException {
    try {
      return Files.readString(runFolder.resolve("standby"));
    } catch (NoSuchFileException _) {
      return "";
    }
  }

  static boolean isSignFrom(String sign, String version) {
    return sign.lines().findFirst().filter(version::equals).isPresent();
  }

  /// From now on the launcher starts `version`, and rolls back to `before` by itself. The swap of the link makes it
  /// effective: the launcher drops a mark without the swap.
  void switchOnTrial(String version, String before, String command, Duration within) throws IOException {
    deleteIfPresent("rolled-back");
    deleteIfPresent("attempts");
    deleteIfPresent("since");
    write(
        "trial",
        Map.of(
            COMMAND,
            command,
            VERSION,
            version,
            "previous",
            before,
            "within_seconds",
            Long.toString(within.toSeconds())));
    switchTo(version, before);
    versions.unstage();
  }

  /// From now on the launcher starts `version`, come what may.
  void switchTo(String version, String before) throws IOException {
    versions.setPrevious(before);
    versions.setCurrent(version);
  }

  void rollBackTo(String to, RolledBack why) throws IOException {
    write("rolled-back", Map.of(COMMAND, why.command, VERSION, why.version, "reason", why.reason.replace('\n', ' ')));
    versions.setCurrent(to);
    endTrial();
  }

  String commandOfTrial() throws IOException {
    return read(folder.resolve("trial")).getOrDefault(COMMAND, "");
  }

  String versionBeforeTrial() throws IOException {
    return read(folder.resolve("trial")).getOrDefault("previous", "");
  }

  /// How long the trial lasts without a commit or a renewal.
  Duration trialTimeout() throws IOException {
    return Duration.ofSeconds(Long.parseLong(read(folder.resolve("trial")).getOrDefault("within_seconds", "0")));
  }

  /// Has the time of the trial begin again, if the launcher has begun it in this boot.
  ///
  /// @param isStable whether earlier starts count no more
  synchronized void renewTrial(String bootId, String uptimeSeconds, boolean isStable) throws IOException {
    Map<String, String> since = read(folder.resolve("since"));
    String command = commandOfTrial();
    if (command.isEmpty() || !command.equals(since.get(COMMAND)) || !bootId.equals(since.get("boot"))) {
      return;
    }
    write("since", Map.of(COMMAND, command, "boot", bootId, "uptime", uptimeSeconds));
    if (isStable) {
      deleteIfPresent("attempts");
    }
  }

  /// Ends the trial: the launcher does not roll back any more.
  synchronized void endTrial() throws IOException {
    deleteIfPresent("trial");
    deleteIfPresent("attempts");
    deleteIfPresent("since");
  }

  private void write(String name, Map<String, String> texts) throws IOException {
    files.write(folder.resolve(name), KeyValues.write(new TreeMap<>(texts)));
  }

  private void deleteIfPresent(String name) throws IOException {
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
