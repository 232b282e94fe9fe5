package dev.uplift.agent.driver.agent;

import dev.uplift.agent.driver.DiskFailures;
import dev.uplift.agent.driver.Job;
import dev.uplift.agent.driver.PackageOptions;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.bundle.InvalidArchive;
import dev.uplift.agent.driver.bundle.VersionFolders;
import dev.uplift.agent.driver.bundle.VersionInstaller;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.json.Rfc3339;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// Brings a version into the folder, beside the others. Afterwards it is there whole, or not at all.
final class AgentInstaller {
  /// The date of every file of a version: with another one the JVM refuses its cache.
  private static final Instant FILE_DATE = Rfc3339.parse("2020-01-01T00:00:00Z");

  private final FileOps files;
  private final AgentInstallation installation;
  private final String architecture;

  AgentInstaller(FileOps files, AgentInstallation installation, String architecture) {
    this.files = files;
    this.installation = installation;
    this.architecture = architecture;
  }

  /// Before a byte is fetched.
  void requireArchitecture(ReleaseManifest release) throws StepFailed {
    String wanted = new PackageOptions(release.arguments()).text("architecture").orElse(architecture);
    if (!wanted.equals(architecture)) {
      throw StepFailed.fatal("wrong-architecture", "is for %s, this host is %s".formatted(wanted, architecture));
    }
  }

  void install(Job job) throws StepFailed, IOException {
    ReleaseManifest release = job.release();
    String version = release.version();
    VersionFolders versionFolders = installation.versions();
    var artifact = release.artifact().orElseThrow(() -> StepFailed.fatal("no-artifact", "an agent needs an artifact"));
    if (versionFolders.isComplete(version) && versionFolders.isMadeFrom(version, artifact.sha256())) {
      return;
    }
    if (versionFolders.exists(version)) {
      throw StepFailed.fatal("version-exists", version + " is on this host already, made from other bytes");
    }
    long bound = VersionInstaller.maxUnpackedBytes(release, artifact.size());
    files.createFolders(versionFolders.folder());
    DiskFailures.requireSpace(artifact.size() * 4, files, versionFolders.folder());
    Path archive = job.fetchArtifact();
    job.reportProgress("unpacks " + version);
    new VersionInstaller(files, versionFolders).install(archive, bound, job, this::prepareFolder);
  }

  /// Adds the files that a version of an agent needs in addition to its archive.
  private void prepareFolder(Path root) throws StepFailed, IOException {
    for (Path each : filesIn(root)) {
      files.setModifiedTime(each, FILE_DATE);
    }
    installRuntime(root);
  }

  /// A runtime travels with a version only when it is a new one, and is shared from then on.
  private void installRuntime(Path root) throws StepFailed, IOException {
    String id = Files.readString(root.resolve("runtime")).strip();
    if (!id.matches("[a-z0-9]{1,64}")) {
      throw new InvalidArchive("runtime: no name of a runtime");
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
          "runtime-missing", "needs the runtime %s, which neither is here nor was brought".formatted(id));
    }
  }

  private static List<Path> filesIn(Path root) throws IOException {
    try (Stream<Path> all = Files.walk(root)) {
      return all.filter(path -> Files.isRegularFile(path)).toList();
    }
  }
}
