package dev.uplift.agent.download;

import dev.uplift.agent.driver.DiskTrouble;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/// Fetches artifacts into one folder, named by their SHA-256. May be killed at any moment; what had
/// arrived by then is not fetched again.
public final class Downloader {
  private static final Duration FORGOTTEN = Duration.ofDays(7);

  private final FileOps files;
  private final Path folder;
  private final Patience patience;

  public Downloader(FileOps files, Path folder, Patience patience) {
    this.files = files;
    this.folder = folder.toAbsolutePath();
    this.patience = patience;
  }

  /// The file with exactly the artifact's bytes, forced. Fetches what is missing of it. The caller
  /// may delete it when it is done with it.
  ///
  /// @throws StepFailed `download-failed` (retryable: goes on where it broke), `download-refused`,
  ///   `bad-address`, `wrong-size`, `wrong-digest` (final), `insufficient-space`, `disk-failed`
  ///   (needs a person), or cancelled
  public Path fetch(String address, Artifact artifact, Watch watch) throws StepFailed {
    Path whole = folder.resolve(artifact.sha256());
    try {
      files.createFolders(folder);
      sweep(artifact);
      if (isWhole(whole, artifact)) {
        return whole;
      }
      return fetch(new Transfer(address, artifact, patience, watch), whole);
    } catch (IOException e) {
      throw DiskTrouble.of(e, files, folder);
    }
  }

  private Path fetch(Transfer transfer, Path whole) throws StepFailed, IOException {
    Artifact artifact = transfer.artifact();
    try (Part part = Part.open(files, folder, artifact.sha256())) {
      if (part.length() > artifact.size()) {
        part.startOver();
      }
      boolean resumed = part.length() > 0;
      boolean right = bring(transfer, part);
      if (resumed && !right) {
        // What was there may have been damaged by a loss of power: once more, all of it.
        part.startOver();
        right = bring(transfer, part);
      }
      if (!right) {
        part.startOver();
        throw StepFailed.fatal(
            "wrong-digest",
            "the artifact is not the one that was signed: its SHA-256 is not " + artifact.sha256());
      }
      part.finish(whole);
      return whole;
    }
  }

  /// Whether what is there now is what was signed.
  private boolean bring(Transfer transfer, Part part) throws StepFailed, IOException {
    DiskTrouble.unlessRoomFor(transfer.artifact().size() - part.length(), files, folder);
    try {
      transfer.run(part);
      return part.hasDigest(transfer.artifact().sha256());
    } catch (StepFailed e) {
      if (e.hasCode(DiskTrouble.FULL) || e.hasCode(Transfer.WRONG_SIZE)) {
        // Of no use any more, and others on this host need the space.
        part.startOver();
      }
      throw e;
    }
  }

  private boolean isWhole(Path whole, Artifact artifact) throws IOException {
    if (!Files.exists(whole)) {
      return false;
    }
    if (Files.size(whole) == artifact.size() && Sha256.of(whole).isHex(artifact.sha256())) {
      return true;
    }
    files.delete(whole);
    return false;
  }

  /// What nobody came back for, going by the clock of the host. Where that is wrong, something is
  /// fetched anew, but never what is wanted now.
  private void sweep(Artifact wanted) throws IOException {
    Instant before = Instant.now().minus(FORGOTTEN);
    try (Stream<Path> all = Files.list(folder)) {
      for (Path each : all.toList()) {
        boolean isWanted = each.getFileName().toString().startsWith(wanted.sha256());
        if (!isWanted && Files.getLastModifiedTime(each).toInstant().isBefore(before)) {
          files.delete(each);
        }
      }
    }
  }
}
