package dev.uplift.agent.driver;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.TreeMap;

/// The release that the last `prepare` has prepared, and whether it has been used since: an operator's program upgrades
/// once after each `prepare`, so that an old command that is found again does nothing.
///
/// @param release identity of the prepared release
/// @param upgradedBy id of the command that had the program upgrade; empty if there was none since
/// @param bootToEnd the boot in which the upgrade asked for a reboot; empty if it did not
public record PreparedRelease(String version, String release, String upgradedBy, String bootToEnd) {
  private static final String FILE = "prepared";

  public static PreparedRelease of(ReleaseManifest release) {
    return new PreparedRelease(release.version(), identity(release), "", "");
  }

  private static String identity(ReleaseManifest release) {
    String digest = release.artifact().map(ReleaseManifest.Artifact::sha256).orElse("");
    return "%s %d %s".formatted(release.version(), release.sequence(), digest);
  }

  public PreparedRelease upgraded(String commandId, String boot) {
    return new PreparedRelease(version, release, commandId, boot);
  }

  public boolean isUsed() {
    return !upgradedBy.isEmpty();
  }

  private boolean allows(ReleaseManifest wanted, String commandId) {
    return release.equals(identity(wanted)) && (!isUsed() || upgradedBy.equals(commandId));
  }

  /// Returns what is prepared, if the command may have the program upgrade to its release. The command that has done so
  /// may ask again.
  ///
  /// @throws StepFailed `not-prepared`
  public static PreparedRelease require(Path folder, Job job) throws StepFailed, IOException {
    Optional<PreparedRelease> prepared = read(folder);
    if (prepared.isEmpty() || !prepared.get().allows(job.release(), job.command().id())) {
      throw StepFailed.fatal(
          "not-prepared",
          "%s is not prepared on this host, or has been upgraded to since".formatted(job.release().version()));
    }
    return prepared.get();
  }

  /// Empty if nothing is prepared.
  public static Optional<PreparedRelease> read(Path folder) throws IOException {
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

  public void write(FileOps files, Path folder) throws IOException {
    var texts = new TreeMap<String, String>();
    texts.put("version", version);
    texts.put("release", release);
    texts.put("upgraded_by", upgradedBy);
    texts.put("boot_to_end", bootToEnd);
    files.createFolders(folder);
    files.write(folder.resolve(FILE), KeyValues.write(texts));
  }

  public static void delete(FileOps files, Path folder) throws IOException {
    files.delete(folder.resolve(FILE));
  }
}
