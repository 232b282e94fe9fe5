package dev.uplift.agent.download;

import dev.uplift.agent.driver.DiskFailures;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.stream.Stream;

/// Fetches artifacts into one folder, named by their SHA-256. May be killed at any moment; what had arrived by then is
/// not fetched again.
public final class Downloader {
  private static final Duration MAX_AGE = Duration.ofDays(7);

  private final FileOps files;
  private final Path folder;
  private final DownloadTimeouts timeouts;

  public Downloader(FileOps files, Path folder, DownloadTimeouts timeouts) {
    this.files = files;
    this.folder = folder.toAbsolutePath();
    this.timeouts = timeouts;
  }

  /// The file with exactly the artifact's bytes, forced. Fetches what is missing of it. The caller may delete it when
  /// it is done with it.
  ///
  /// @throws StepFailed `download-failed` (retryable: continues where it broke), `download-refused`, `invalid-url`,
  ///   `wrong-size`, `wrong-digest` (final), `insufficient-space`, `disk-failed` (needs a person), or cancelled
  public Path fetch(String address, Artifact artifact, DownloadControl control) throws StepFailed {
    Path whole = folder.resolve(artifact.sha256());
    try {
      files.createFolders(folder);
      deleteStale(artifact);
      if (isComplete(whole, artifact)) {
        return whole;
      }
      return fetch(new HttpTransfer(address, artifact, timeouts, control), whole);
    } catch (IOException e) {
      throw DiskFailures.stepFailed(e, files, folder);
    }
  }

  private Path fetch(HttpTransfer httpTransfer, Path whole) throws StepFailed, IOException {
    Artifact artifact = httpTransfer.artifact();
    try (PartialDownload partialDownload = PartialDownload.open(files, folder, artifact.sha256())) {
      if (partialDownload.length() > artifact.size()) {
        partialDownload.startOver();
      }
      boolean resumed = partialDownload.length() > 0;
      boolean right = download(httpTransfer, partialDownload);
      if (resumed && !right) {
        // The rest may have been damaged by a loss of power: download all of it again.
        partialDownload.startOver();
        right = download(httpTransfer, partialDownload);
      }
      if (!right) {
        partialDownload.startOver();
        throw StepFailed.fatal(
            "wrong-digest", "the artifact is not the one that was signed: its SHA-256 is not " + artifact.sha256());
      }
      partialDownload.finish(whole);
      return whole;
    }
  }

  /// Downloads the rest, and returns whether the file is what was signed.
  private boolean download(HttpTransfer httpTransfer, PartialDownload partialDownload) throws StepFailed, IOException {
    DiskFailures.requireSpace(httpTransfer.artifact().size() - partialDownload.length(), files, folder);
    try {
      httpTransfer.run(partialDownload);
      return partialDownload.hasDigest(httpTransfer.artifact().sha256());
    } catch (StepFailed e) {
      if (e.hasCode(DiskFailures.FULL) || e.hasCode(HttpTransfer.WRONG_SIZE)) {
        // Of no use any more, and others on this host need the space.
        partialDownload.startOver();
      }
      throw e;
    }
  }

  private boolean isComplete(Path whole, Artifact artifact) throws IOException {
    if (!Files.exists(whole)) {
      return false;
    }
    if (Files.size(whole) == artifact.size() && Sha256.of(whole).isHex(artifact.sha256())) {
      return true;
    }
    files.delete(whole);
    return false;
  }

  /// Deletes downloads that were not resumed, by the clock of the host. If that is wrong, something is fetched again,
  /// but never what is needed now.
  private void deleteStale(Artifact wanted) throws IOException {
    Instant before = Instant.now().minus(MAX_AGE);
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
