package dev.uplift.agent.driver.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.WriteAccess;
import dev.uplift.agent.files.FileOps;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// The folder of one package: `versions/<version>`, and the links `current`, `previous` and `staged` to some of them.
/// `activated` holds the version whose service was last started and found healthy, and nothing while one is being
/// activated; it is absent if nothing has been changed yet.
public final class VersionFolders {
  private static final String CURRENT = "current";
  private static final String PREVIOUS = "previous";
  private static final String STAGED = "staged";

  /// Beside those that a link leads to.
  private static final int MAX_UNUSED = 2;

  private final FileOps files;
  private final Path folder;

  public VersionFolders(FileOps files, Path folder) {
    this.files = files;
    this.folder = folder;
  }

  public Path folder() {
    return folder;
  }

  public Path folder(String version) {
    return versionsFolder().resolve(version);
  }

  private Path versionsFolder() {
    return folder.resolve("versions");
  }

  private Path unfinished(String version) {
    return versionsFolder().resolve("." + version + ".unfinished");
  }

  /// Empty before the first.
  public String current() throws IOException {
    return target(CURRENT);
  }

  public String previous() throws IOException {
    return target(PREVIOUS);
  }

  /// Empty if nothing is prepared that is not in use.
  public String staged() throws IOException {
    String staged = target(STAGED);
    boolean waits = !staged.isEmpty() && !staged.equals(current()) && isComplete(staged);
    return waits ? staged : "";
  }

  private String target(String link) throws IOException {
    Path path = folder.resolve(link);
    if (!Files.isSymbolicLink(path)) {
      return "";
    }
    Path name = Files.readSymbolicLink(path).getFileName();
    return name != null && exists(name.toString()) ? name.toString() : "";
  }

  public boolean exists(String version) {
    return Files.isDirectory(folder(version), LinkOption.NOFOLLOW_LINKS);
  }

  public boolean isComplete(String version) throws IOException {
    return exists(version) && marker(version).isPresent();
  }

  Optional<VersionMarker> marker(String version) throws IOException {
    return VersionMarker.read(folder(version));
  }

  /// Returns whether this version waits to be used, made from this artifact.
  public boolean isStaged(String version, String sha256) throws IOException {
    return staged().equals(version) && isMadeFrom(version, sha256);
  }

  public boolean isMadeFrom(String version, String sha256) throws IOException {
    return marker(version).filter(versionMarker -> versionMarker.sha256().equals(sha256)).isPresent();
  }

  /// Returns whether the service has been started and found healthy since `current` was last swapped. True if nothing
  /// has been changed yet.
  boolean isActivated() throws IOException {
    Path activated = folder.resolve("activated");
    return !Files.exists(activated) || Files.size(activated) > 0;
  }

  /// From now on the service has to be started, whatever `current` says.
  void clearActivated() throws IOException {
    files.write(folder.resolve("activated"), new byte[0]);
  }

  void markActivated() throws IOException {
    String current = current();
    files.write(folder.resolve("activated"), (current.isEmpty() ? "none" : current).getBytes(UTF_8));
  }

  /// An empty folder that becomes this version when it is [#finishInstall]ed.
  Path beginInstall(String version) throws IOException {
    files.createFolders(versionsFolder());
    Path unfinished = unfinished(version);
    files.deleteTree(unfinished);
    files.createFolder(unfinished);
    return unfinished;
  }

  /// Afterwards the version is there, whole and on the disk, and waits. The marker is written when all else is forced,
  /// and the name is given when the marker is.
  void finishInstall(String version, VersionMarker versionMarker) throws IOException {
    Path unfinished = unfinished(version);
    files.forceTree(unfinished);
    files.write(unfinished.resolve(VersionMarker.NAME), versionMarker.write());
    files.rename(unfinished, folder(version));
    files.force(versionsFolder());
    stage(version);
  }

  public void stage(String version) throws IOException {
    link(STAGED, version);
  }

  /// The one moment of an upgrade.
  public void setCurrent(String version) throws IOException {
    link(CURRENT, version);
  }

  void clearCurrent() throws IOException {
    unlink(CURRENT);
  }

  public void setPrevious(String version) throws IOException {
    if (version.isEmpty()) {
      unlink(PREVIOUS);
    } else {
      link(PREVIOUS, version);
    }
  }

  public void unstage() throws IOException {
    unlink(STAGED);
  }

  private void link(String name, String version) throws IOException {
    files.replaceLink(folder.resolve(name), Path.of("versions", version));
  }

  private void unlink(String name) throws IOException {
    Path link = folder.resolve(name);
    if (Files.isSymbolicLink(link)) {
      files.delete(link);
      files.force(folder);
    }
  }

  /// Deletes a version that is not in use. It loses its name first, so half of it is never taken for a version.
  public void delete(String version) throws IOException {
    Path unfinished = unfinished(version);
    files.deleteTree(unfinished);
    if (exists(version)) {
      if (version.equals(current()) || version.equals(previous())) {
        throw new IllegalStateException(version + " is in use");
      }
      files.rename(folder(version), unfinished);
      files.force(versionsFolder());
      files.deleteTree(unfinished);
    }
  }

  boolean isInUse(String version) throws IOException {
    return version.equals(current()) || version.equals(previous());
  }

  /// Deletes what no link leads to, but for the newest few and `wanted`.
  void deleteOldest(String wanted) throws IOException {
    if (!Files.isDirectory(versionsFolder())) {
      return;
    }
    List<String> unused = new ArrayList<>();
    for (Path each : newestFirst()) {
      String version = each.getFileName().toString();
      if (isComplete(version) && !isInUse(version) && !version.equals(wanted)) {
        unused.add(version);
      }
    }
    for (String version : unused.subList(Math.min(MAX_UNUSED, unused.size()), unused.size())) {
      delete(version);
    }
  }

  private List<Path> newestFirst() throws IOException {
    try (Stream<Path> all = Files.list(versionsFolder())) {
      return all.sorted(Comparator.comparingLong((Path each) -> each.toFile().lastModified()).reversed()).toList();
    }
  }

  /// Requires that only root can change the commands that are run from a version.
  void requireRootOnly(String version) throws StepFailed, IOException {
    Path marker = folder(version).resolve(VersionMarker.NAME);
    WriteAccess.requireRootOnly(Files.exists(marker) ? marker : folder(version));
  }

  /// Requires a folder of links, not one that was made otherwise, that only root can change.
  public void requireLinkLayout() throws StepFailed, IOException {
    if (Files.exists(folder)) {
      WriteAccess.requireRootOnly(folder);
    }
    Path current = folder.resolve(CURRENT);
    if (Files.exists(current, LinkOption.NOFOLLOW_LINKS) && !Files.isSymbolicLink(current)) {
      throw StepFailed.needsPerson("invalid-layout", current + ": expected a link to a version, found something else");
    }
  }
}
