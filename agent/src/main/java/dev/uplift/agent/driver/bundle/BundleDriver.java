package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.DiskTrouble;
import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.Found;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.Setup;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Work;
import dev.uplift.agent.driver.bundle.Service.Installed;
import dev.uplift.agent.driver.session.Sessions;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Path;

/// Brings versions of a tar archive to the host and takes them back.
///
/// Which version is in use is what the link `current` says; a rename changes it, and nothing else
/// does. `settled` is emptied before and written after the service runs from there, so whoever
/// comes after a loss of power knows whether it still has to be started.
public final class BundleDriver implements Driver {
  private final FileOps files;
  private final Versions versions;
  private final Filling filling;
  private final Service service;

  public BundleDriver(Setup setup) {
    files = setup.host().files();
    versions = new Versions(files, setup.folder());
    filling = new Filling(files, versions);
    service = new Service(setup, new Sessions(setup.host(), setup.state().resolve("run")));
  }

  @Override
  public Found inspect() {
    try {
      service.trimOutput();
      String current = versions.current();
      String version =
          current.isEmpty() ? Found.UNKNOWN : service.version(installed(current, Options.NONE));
      return new Found(version, versions.staged(), false);
    } catch (IOException | StepFailed _) {
      // What cannot be measured is unknown: the contract of `inspect`.
      return Found.nothing();
    }
  }

  @Override
  public Result prepare(Job job) {
    return answer(() -> {
      stage(job);
      return new Result.Done();
    });
  }

  private void stage(Job job) throws StepFailed, IOException {
    ReleaseManifest release = job.release();
    String version = sound(release.version());
    var artifact =
        release
            .artifact()
            .orElseThrow(() -> StepFailed.fatal("no-artifact", "a bundle needs an artifact"));
    versions.unlessOdd();
    if (versions.current().equals(version) || versions.isStaged(version, artifact.sha256())) {
      return;
    }
    if (versions.isMadeFrom(version, artifact.sha256())) {
      versions.stage(version);
      return;
    }
    if (versions.isInUse(version)) {
      throw StepFailed.fatal(
          "version-in-use", version + " is what the host would go back to, made from other bytes");
    }
    long bound = Filling.bound(release, artifact.size());
    versions.dropOldest(version);
    files.createFolders(versions.folder());
    DiskTrouble.unlessRoomFor(unpackedAtLeast(release, artifact.size()), files, versions.folder());
    Path archive = job.artifact();
    job.progress("unpacks " + version);
    versions.drop(version);
    filling.fill(archive, bound, job, Filling.Finish.NOTHING);
  }

  private static long unpackedAtLeast(ReleaseManifest release, long size) throws StepFailed {
    return size + new Options(release.arguments()).number("unpacked_bytes", size);
  }

  @Override
  public Result upgrade(Job job) {
    return answer(() -> {
      bring(job);
      return new Result.Done();
    });
  }

  private void bring(Job job) throws StepFailed, IOException {
    String version = sound(job.command().version());
    versions.unlessOdd();
    String before = versions.current();
    if (!before.equals(version)) {
      String sha256 = job.command().digest();
      if (!versions.isStaged(version, sha256)) {
        throw StepFailed.fatal(
            "not-prepared", "%s with digest %s is not staged here".formatted(version, sha256));
      }
      if (job.cancelled()) {
        throw StepFailed.cancelled();
      }
      if (versions.isSettled()) {
        versions.rememberAsPrevious(before);
      }
    }
    turnTo(version, job);
  }

  /// Afterwards this version is in use and healthy. Goes on where an earlier try was broken off.
  private void turnTo(String version, Job job) throws StepFailed, IOException {
    boolean used = versions.current().equals(version);
    if (used && versions.isSettled()) {
      return;
    }
    if (!used) {
      versions.unsettle();
      versions.use(version);
    }
    Installed installed = installed(version, new Options(job.release().arguments()));
    service.restart(installed, job);
    service.awaitHealth(installed, job);
    unlessOther(version, service.version(installed));
    versions.settle();
  }

  private static void unlessOther(String version, String found) throws StepFailed {
    if (!found.equals(version)) {
      throw StepFailed.fatal(
          "version-mismatch", "the service says it is %s, not %s".formatted(found, version));
    }
  }

  /// There is no trial: the host does not go back by itself.
  @Override
  public Result commit(Job job) {
    return new Result.Done();
  }

  @Override
  public Result rollback(Job job) {
    return answer(() -> {
      takeBack(job);
      return new Result.Done();
    });
  }

  private void takeBack(Job job) throws StepFailed, IOException {
    String leaves = sound(job.release().version());
    String target = versionBefore(job, leaves);
    versions.unlessOdd();
    String current = versions.current();
    if (current.equals(target) && versions.isSettled()) {
      dropStaged(leaves);
      return;
    }
    if (!target.isEmpty() && !versions.exists(target)) {
      throw StepFailed.declined("version-gone", target + " is not on this host any more");
    }
    versions.unstage();
    if (target.isEmpty()) {
      removeFirst(leaves, job);
    } else {
      turnTo(target, job);
    }
  }

  /// Empty if there was none. A server that could not learn it leaves it to us.
  private String versionBefore(Job job, String leaves) throws IOException, StepFailed {
    String wanted = sound(job.command().version());
    if (!wanted.equals(Found.UNKNOWN) || versions.exists(wanted)) {
      return wanted;
    }
    String current = versions.current();
    return current.equals(leaves) ? versions.previous() : current;
  }

  private void dropStaged(String version) throws IOException {
    versions.unstage();
    if (!versions.isInUse(version)) {
      versions.drop(version);
    }
  }

  private void removeFirst(String version, Job job) throws StepFailed, IOException {
    versions.unsettle();
    if (versions.exists(version)) {
      service.stop(installed(version, new Options(job.release().arguments())), job);
    }
    versions.useNone();
    versions.settle();
  }

  /// @param otherwise for a version that was put there by hand and does not say how it is run
  private Installed installed(String version, Options otherwise) throws IOException {
    Options arguments = versions.marker(version).map(Marker::arguments).orElse(otherwise);
    return new Installed(version, versions.folder(version), arguments);
  }

  /// A version is the name of a folder here.
  private static String sound(String version) throws StepFailed {
    if (version.startsWith(".") || version.contains("/") || version.isEmpty()) {
      throw StepFailed.fatal("bad-version", "no name for a folder: " + version);
    }
    return version;
  }

  private Result answer(Work work) {
    return Work.answer(files, versions.folder(), work);
  }
}
