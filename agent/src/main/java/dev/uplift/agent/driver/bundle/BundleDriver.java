package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.DiskFailures;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.DriverStep;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageContext;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.PackageState;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.bundle.BundleService.InstalledVersion;
import dev.uplift.agent.driver.process.ProgramRunner;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.nio.file.Path;

/// Installs versions of a tar archive and rolls them back.
///
/// The link `current` names the version in use; only a rename changes it. `activated` is emptied before the service
/// runs from there and written after, so after a loss of power it is known whether the service still has to be started.
public final class BundleDriver implements Driver {
  private final FileOps files;
  private final VersionFolders versions;
  private final VersionInstaller installer;
  private final BundleService service;

  public BundleDriver(PackageContext packageContext) {
    files = packageContext.host().files();
    versions = new VersionFolders(files, packageContext.packageFolder());
    installer = new VersionInstaller(files, versions);
    service =
        new BundleService(
            packageContext, new ProgramRunner(packageContext.host(), packageContext.stateFolder().resolve("programs")));
  }

  @Override
  public PackageState inspect() {
    try {
      service.trimOutput();
      String current = versions.current();
      String version =
          current.isEmpty() ? PackageState.UNKNOWN : service.version(installedVersion(current, PackageOptions.NONE));
      return new PackageState(version, versions.staged(), false);
    } catch (IOException | StepFailed _) {
      // Unmeasurable is unknown: the contract of `inspect`.
      return PackageState.unknown();
    }
  }

  @Override
  public CommandResult prepare(Job job) {
    return resultOf(() -> {
      stage(job);
      return new CommandResult.Done();
    });
  }

  private void stage(Job job) throws StepFailed, IOException {
    ReleaseManifest release = job.release();
    String version = requireFolderName(release.version());
    var artifact = release.artifact().orElseThrow(() -> StepFailed.fatal("no-artifact", "a bundle needs an artifact"));
    versions.requireLinkLayout();
    if (versions.current().equals(version) || versions.isStaged(version, artifact.sha256())) {
      return;
    }
    if (versions.isMadeFrom(version, artifact.sha256())) {
      versions.stage(version);
      return;
    }
    if (versions.isInUse(version)) {
      throw StepFailed.fatal(
          "version-in-use", version + " is the version that a rollback leads to, made from other bytes");
    }
    long bound = VersionInstaller.maxUnpackedBytes(release, artifact.size());
    versions.deleteOldest(version);
    files.createFolders(versions.folder());
    DiskFailures.requireSpace(unpackedAtLeast(release, artifact.size()), files, versions.folder());
    Path archive = job.fetchArtifact();
    job.reportProgress("unpacks " + version);
    versions.delete(version);
    installer.install(archive, bound, job, VersionInstaller.Preparation.NOTHING);
  }

  private static long unpackedAtLeast(ReleaseManifest release, long size) throws StepFailed {
    return size + new PackageOptions(release.arguments()).number("unpacked_bytes", size);
  }

  @Override
  public CommandResult upgrade(Job job) {
    return resultOf(() -> {
      switchToStaged(job);
      return new CommandResult.Done();
    });
  }

  private void switchToStaged(Job job) throws StepFailed, IOException {
    String version = requireFolderName(job.command().version());
    versions.requireLinkLayout();
    String before = versions.current();
    if (!before.equals(version)) {
      String sha256 = job.preparedDigest();
      if (!versions.isStaged(version, sha256)) {
        throw StepFailed.fatal("not-prepared", "%s with digest %s is not staged here".formatted(version, sha256));
      }
      if (job.isCancelled()) {
        throw StepFailed.cancelled();
      }
      if (versions.isActivated()) {
        versions.setPrevious(before);
      }
    }
    activate(version, job);
  }

  /// Afterwards this version is in use and healthy. Goes on where an earlier try was broken off.
  private void activate(String version, Job job) throws StepFailed, IOException {
    versions.requireRootOnly(version);
    boolean used = versions.current().equals(version);
    if (used && versions.isActivated()) {
      return;
    }
    if (!used) {
      versions.clearActivated();
      versions.setCurrent(version);
    }
    InstalledVersion installedVersion = installedVersion(version, new PackageOptions(job.release().arguments()));
    service.restart(installedVersion, job);
    service.awaitHealth(installedVersion, job);
    requireVersion(version, service.version(installedVersion));
    versions.markActivated();
  }

  private static void requireVersion(String version, String found) throws StepFailed {
    if (!found.equals(version)) {
      throw StepFailed.fatal("version-mismatch", "the service says it is %s, not %s".formatted(found, version));
    }
  }

  /// There is no trial: the host does not roll back by itself.
  @Override
  public CommandResult commit(Job job) {
    return new CommandResult.Done();
  }

  @Override
  public CommandResult rollback(Job job) {
    return resultOf(() -> {
      rollBack(job);
      return new CommandResult.Done();
    });
  }

  private void rollBack(Job job) throws StepFailed, IOException {
    String leaves = requireFolderName(job.release().version());
    String target = versionBefore(job, leaves);
    versions.requireLinkLayout();
    String current = versions.current();
    if (current.equals(target) && versions.isActivated()) {
      dropStaged(leaves);
      return;
    }
    if (!target.isEmpty() && !versions.exists(target)) {
      throw StepFailed.declined("version-not-found", target + " is not on this host any more");
    }
    versions.unstage();
    if (target.isEmpty()) {
      removeFirst(leaves, job);
    } else {
      activate(target, job);
    }
  }

  /// Empty if there was none. A server that could not learn it leaves it to us.
  private String versionBefore(Job job, String leaves) throws IOException, StepFailed {
    String wanted = requireFolderName(job.command().version());
    if (!wanted.equals(PackageState.UNKNOWN) || versions.exists(wanted)) {
      return wanted;
    }
    String current = versions.current();
    return current.equals(leaves) ? versions.previous() : current;
  }

  private void dropStaged(String version) throws IOException {
    versions.unstage();
    if (!versions.isInUse(version)) {
      versions.delete(version);
    }
  }

  private void removeFirst(String version, Job job) throws StepFailed, IOException {
    versions.clearActivated();
    if (versions.exists(version)) {
      service.stop(installedVersion(version, new PackageOptions(job.release().arguments())), job);
    }
    versions.clearCurrent();
    versions.markActivated();
  }

  /// @param otherwise for a version that was put there by hand and does not say how it is run
  private InstalledVersion installedVersion(String version, PackageOptions otherwise) throws IOException, StepFailed {
    versions.requireRootOnly(version);
    PackageOptions arguments = versions.marker(version).map(VersionMarker::arguments).orElse(otherwise);
    return new InstalledVersion(version, versions.folder(version), arguments);
  }

  /// A version is the name of a folder here.
  private static String requireFolderName(String version) throws StepFailed {
    if (version.startsWith(".") || version.contains("/") || version.isEmpty()) {
      throw StepFailed.fatal("invalid-version", "no name for a folder: " + version);
    }
    return version;
  }

  private CommandResult resultOf(DriverStep driverStep) {
    return DriverStep.resultOf(files, versions.folder(), driverStep);
  }
}
