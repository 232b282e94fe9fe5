package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.zip.ZipException;

/// Unpacks an archive into a folder of its own. Nothing outside of that folder is changed, whatever the archive holds:
/// names are relative and do not climb, nothing is written through a link, and no link leads out. It is strict rather
/// than helpful: anything unusual is an [InvalidArchive].
final class TarExtractor {
  private static final int BUFFER = 64 * 1024;
  private static final int MAX_ENTRIES = 100_000;
  private static final int MAX_NAME = 1024;

  private final FileOps files;
  private final Path root;
  private final long maxBytes;
  private final BooleanSupplier cancelled;

  private final Map<Path, TarEntry.Kind> entries = new HashMap<>();

  private final List<Path> links = new ArrayList<>();
  private long extractedBytes;

  /// @param root an empty folder
  /// @param maxBytes of all content together, in bytes
  TarExtractor(FileOps files, Path root, long maxBytes, BooleanSupplier cancelled) {
    this.files = files;
    this.root = root;
    this.maxBytes = maxBytes;
    this.cancelled = cancelled;
  }

  void extract(Path archive) throws IOException, StepFailed {
    try (TarReader tar = TarReader.open(archive)) {
      for (var entry = tar.next(); entry.isPresent(); entry = tar.next()) {
        extract(entry.get(), tar);
      }
    } catch (ZipException | EOFException e) {
      throw new InvalidArchive("damaged gzip data: " + e.getMessage());
    }
    for (Path link : links) {
      requireInside(link);
    }
    if (entries.isEmpty()) {
      throw new InvalidArchive("the archive is empty");
    }
  }

  private void extract(TarEntry entry, TarReader tar) throws IOException, StepFailed {
    Optional<Path> name = nameOf(entry);
    if (name.isEmpty()) {
      return;
    }
    if (entry.hasSetId()) {
      throw new InvalidArchive(entry.name() + ": has a set-id bit");
    }
    createParents(name.get());
    Path path = root.resolve(name.get());
    switch (entry.kind()) {
      case FOLDER -> createFolder(name.get());
      case FILE -> {
        claim(name.get(), TarEntry.Kind.FILE);
        write(entry, tar, path);
      }
      case LINK -> {
        claim(name.get(), TarEntry.Kind.LINK);
        createLink(entry, path);
      }
    }
  }

  /// Empty for the root itself.
  private static Optional<Path> nameOf(TarEntry entry) throws InvalidArchive {
    String name = entry.name();
    if (name.isEmpty() || name.length() > MAX_NAME) {
      throw new InvalidArchive("a name of " + name.length() + " characters");
    }
    if (name.startsWith("/")) {
      throw new InvalidArchive(name + ": is not relative");
    }
    Path relative = Path.of("");
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        throw new InvalidArchive(name + ": climbs out");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        relative = relative.resolve(parsePart(name, part));
      }
    }
    if (relative.equals(Path.of(VersionMarker.NAME))) {
      throw new InvalidArchive(VersionMarker.NAME + ": is not for an archive to have");
    }
    return relative.toString().isEmpty() ? Optional.empty() : Optional.of(relative);
  }

  private static Path parsePart(String name, String part) throws InvalidArchive {
    try {
      return Path.of(part);
    } catch (InvalidPathException _) {
      throw new InvalidArchive(name.replace('\0', '?') + ": is no name");
    }
  }

  private void createParents(Path name) throws IOException {
    Path parent = name.getParent();
    if (parent != null && entries.get(parent) != TarEntry.Kind.FOLDER) {
      createParents(parent);
      createFolder(parent);
    }
  }

  private void createFolder(Path name) throws IOException {
    // A folder may be there already: made for what is in it.
    if (entries.get(name) != TarEntry.Kind.FOLDER) {
      claim(name, TarEntry.Kind.FOLDER);
      files.createFolder(root.resolve(name));
    }
  }

  private void claim(Path name, TarEntry.Kind kind) throws InvalidArchive {
    if (entries.putIfAbsent(name, kind) != null || exists(root.resolve(name))) {
      throw new InvalidArchive(name + ": is there twice");
    }
    if (entries.size() > MAX_ENTRIES) {
      throw new InvalidArchive("more than " + MAX_ENTRIES + " files");
    }
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private void write(TarEntry entry, TarReader tar, Path path) throws IOException, StepFailed {
    if (entry.size() > maxBytes - extractedBytes) {
      throw new InvalidArchive("more than " + maxBytes + " bytes when unpacked");
    }
    extractedBytes += entry.size();
    byte[] buffer = new byte[BUFFER];
    try (FileOps.Sink sink = files.append(path)) {
      for (int n = tar.read(buffer); n >= 0; n = tar.read(buffer)) {
        if (cancelled.getAsBoolean()) {
          throw StepFailed.cancelled();
        }
        sink.write(buffer, 0, n);
      }
    }
    if (entry.isExecutable()) {
      files.makeExecutable(path);
    }
  }

  private void createLink(TarEntry entry, Path path) throws IOException {
    if (entry.target().isEmpty() || entry.target().startsWith("/")) {
      throw new InvalidArchive(entry.name() + ": leads out");
    }
    files.createLink(path, parsePart(entry.name(), entry.target()));
    links.add(path);
  }

  /// Returns the real target, through all other links.
  private void requireInside(Path link) throws IOException {
    Path name = root.relativize(link);
    try {
      if (!link.toRealPath().startsWith(root.toRealPath())) {
        throw new InvalidArchive(name + ": leads out");
      }
    } catch (InvalidArchive e) {
      throw e;
    } catch (IOException _) {
      throw new InvalidArchive(name + ": leads nowhere");
    }
  }
}
