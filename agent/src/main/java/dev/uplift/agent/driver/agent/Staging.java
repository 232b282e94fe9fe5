package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.DiskTrouble;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.Options;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.bundle.BadArchive;
import dev.uplift.agent.driver.bundle.Marker;
import dev.uplift.agent.driver.bundle.Unpacking;
import dev.uplift.agent.driver.bundle.Versions;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Rfc3339;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Brings a version into the folder, beside the others. Afterwards it is there whole, or not at
/// all.
final class Staging {
  /// The date of every file of a version: with another one the JVM refuses its cache.
  private static final Instant DATE = Rfc3339.read("2020-01-01T00:00:00Z");

  private static final long MIB = 1L << 20;

  private final FileOps files;
  private final Installation installation;
  private final String architecture;

  Staging(FileOps files, Installation installation, String architecture) {
    this.files = files;
    this.installation = installation;
    this.architecture = architecture;
  }

  /// Before a byte is fetched.
  void check(ReleaseManifest release) throws StepFailed {
    String wanted = new Options(release.arguments()).text("architecture").orElse(architecture);
    if (!wanted.equals(architecture)) {
      throw StepFailed.fatal(
          "wrong-architecture", "is for %s, this host is %s".formatted(wanted, architecture));
    }
  }

  void bring(Job job) throws StepFailed, IOException {
    ReleaseManifest release = job.release();
    String version = release.version();
    Versions versions = installation.versions();
    var artifact =
        release
            .artifact()
            .orElseThrow(() -> StepFailed.fatal("no-artifact", "an agent needs an artifact"));
    if (versions.isWhole(version) && versions.isMadeFrom(version, artifact.sha256())) {
      return;
    }
    if (versions.exists(version)) {
      throw StepFailed.fatal(
          "version-exists", version + " is on this host already, made from other bytes");
    }
    long bound =
        new Options(release.arguments()).number("unpacked_bytes", artifact.size() * 20 + 16 * MIB);
    files.createFolders(versions.folder());
    DiskTrouble.unlessRoomFor(artifact.size() * 4, files, versions.folder());
    Path archive = job.artifact();
    job.progress("unpacks " + version);
    unpack(archive, bound, job);
    files.delete(archive);
  }

  private void unpack(Path archive, long bound, Job job) throws StepFailed, IOException {
    Versions versions = installation.versions();
    Path root = versions.begin(job.release().version());
    try {
      new Unpacking(files, root, bound, job::cancelled).unpack(archive);
      for (Path each : filesIn(root)) {
        files.date(each, DATE);
      }
      takeRuntime(root);
      versions.finish(job.release().version(), Marker.of(job.release()));
    } catch (BadArchive e) {
      discard(root, e);
      discard(archive, e);
      throw StepFailed.fatal("bad-archive", String.valueOf(e.getMessage()));
    } catch (StepFailed | IOException e) {
      // Also on a full disk: deleting needs no space, and others on the host need it.
      discard(root, e);
      throw e;
    }
  }

  /// A runtime travels with a version only when it is a new one, and is shared from then on.
  private void takeRuntime(Path root) throws StepFailed, IOException {
    String id = Files.readString(root.resolve("runtime")).strip();
    if (!id.matches("[a-z0-9]{1,64}")) {
      throw new BadArchive("runtime: no name of a runtime");
    }
    Path brought = root.resolve("runtimes").resolve(id);
    Path shared = installation.runtime(id);
    if (Files.isDirectory(brought) && !Files.isDirectory(shared)) {
      files.forceTree(brought);
      files.createFolders(installation.folder().resolve("runtimes"));
      files.rename(brought, shared);
      files.force(installation.folder().resolve("runtimes"));
    }
    files.deleteTree(root.resolve("runtimes"));
    if (!Files.isExecutable(shared.resolve("bin").resolve("java"))) {
      throw StepFailed.fatal(
          "runtime-missing",
          "needs the runtime %s, which neither is here nor was brought".formatted(id));
    }
  }

  private static List<Path> filesIn(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> Files.isRegularFile(path)).toList();
    }
  }

  /// What went wrong before is what is answered.
  private void discard(Path path, Exception before) {
    try {
      files.deleteTree(path);
    } catch (IOException e) {
      before.addSuppressed(e);
    }
  }
}
