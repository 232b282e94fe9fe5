package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Path;

/// Makes a version from an archive. Afterwards it is there whole, or not at all.
public final class VersionInstaller {
  private static final long MIB = 1L << 20;

  private final FileOps files;
  private final VersionFolders versions;

  public VersionInstaller(FileOps files, VersionFolders versions) {
    this.files = files;
    this.versions = versions;
  }

  /// Work in the folder of a version before it is complete.
  @FunctionalInterface
  public interface Preparation {
    Preparation NOTHING = _ -> {};

    void prepare(Path root) throws StepFailed, IOException;
  }

  /// Maximum size of the unpacked archive. If the release does not say, one that unpacks to twenty times its size is
  /// taken for a bomb.
  public static long maxUnpackedBytes(ReleaseManifest release, long size) throws StepFailed {
    return new PackageOptions(release.arguments()).number("unpacked_bytes", size * 20 + 16 * MIB);
  }

  /// The archive is gone afterwards, but where the disk or the job broke off: then it serves the next try.
  public void install(Path archive, long bound, Job job, Preparation preparation) throws StepFailed, IOException {
    String version = job.release().version();
    Path root = versions.beginInstall(version);
    try {
      new TarExtractor(files, root, bound, job::isCancelled).extract(archive);
      preparation.prepare(root);
      versions.finishInstall(version, VersionMarker.of(job.release()));
    } catch (InvalidArchive e) {
      discard(root, e);
      discard(archive, e);
      throw StepFailed.fatal("invalid-archive", String.valueOf(e.getMessage()));
    } catch (StepFailed | IOException e) {
      // Also on a full disk: deleting needs no space, and others on the host need it.
      discard(root, e);
      throw e;
    }
    files.delete(archive);
  }

  /// Reports the earlier error, not one of the clean-up.
  private void discard(Path path, Exception before) {
    try {
      files.deleteTree(path);
    } catch (IOException e) {
      before.addSuppressed(e);
    }
  }
}
