package dev.uplift.agent.driver.worker;

import dev.uplift.agent.driver.KeyValues;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;

/// What the last `prepare` has prepared, and whether it has been used since: a worker upgrades once after each
/// `prepare`.
///
/// @param release identity of the prepared release
/// @param upgradedBy id of the command that had the worker upgrade; empty if there was none since
/// @param bootToEnd the boot in which the upgrade asked for a reboot; empty if it did not
record PreparedRelease(String version, String release, String upgradedBy, String bootToEnd) {
  private static final String FILE = "prepared";

  static PreparedRelease of(ReleaseManifest release) {
    return new PreparedRelease(release.version(), identity(release), "", "");
  }

  private static String identity(ReleaseManifest release) {
    String digest = release.artifact().map(ReleaseManifest.Artifact::sha256).orElse("");
    return "%s %d %s".formatted(release.version(), release.sequence(), digest);
  }

  PreparedRelease upgraded(String commandId, String boot) {
    return new PreparedRelease(version, release, commandId, boot);
  }

  boolean isUsed() {
    return !upgradedBy.isEmpty();
  }

  /// Returns whether the command may have the worker upgrade to this release. The command that has done so may ask
  /// again.
  boolean allows(ReleaseManifest wanted, String commandId) {
    return release.equals(identity(wanted)) && (!isUsed() || upgradedBy.equals(commandId));
  }

  /// Empty if nothing is prepared.
  static Optional<PreparedRelease> read(Path folder) throws IOException {
    try {
      var texts = KeyValues.read(Files.readString(folder.resolve(FILE)));
      return Optional.of(
          new PreparedRelease(
              texts.getOrDefault("version", ""),
              texts.getOrDefault("release", ""),
              texts.getOrDefault("upgraded_by", ""),
              texts.getOrDefault("boot_to_end", "")));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  void write(FileOps files, Path folder) throws IOException {
    var texts = new TreeMap<String, String>();
    texts.put("version", version);
    texts.put("release", release);
    texts.put("upgraded_by", upgradedBy);
    texts.put("boot_to_end", bootToEnd);
    files.createFolders(folder);
    files.write(folder.resolve(FILE), KeyValues.write(texts));
  }

  static void delete(FileOps files, Path folder) throws IOException {
    files.delete(folder.resolve(FILE));
  }
}
