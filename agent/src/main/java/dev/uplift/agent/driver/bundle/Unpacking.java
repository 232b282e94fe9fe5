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

/// Unpacks an archive into a folder of its own. Nothing outside of that folder is touched, whatever
/// the archive holds: names are relative and do not climb, nothing is written through a link, and
/// no link leads out. It is strict rather than helpful: what is odd is a [BadArchive].
final class Unpacking {
  private static final int BUFFER = 64 * 1024;
  private static final int MOST_ENTRIES = 100_000;
  private static final int LONGEST_NAME = 1024;

  private final FileOps files;
  private final Path root;
  private final long bound;
  private final BooleanSupplier cancelled;

  private final Map<Path, TarEntry.Kind> entries = new HashMap<>();

  private final List<Path> links = new ArrayList<>();
  private long unpacked;

  /// @param root an empty folder
  /// @param bound of all content together, in bytes
  Unpacking(FileOps files, Path root, long bound, BooleanSupplier cancelled) {
    this.files = files;
    this.root = root;
    this.bound = bound;
    this.cancelled = cancelled;
  }

  void unpack(Path archive) throws IOException, StepFailed {
    try (TarReader tar = TarReader.open(archive)) {
      for (var entry = tar.next(); entry.isPresent(); entry = tar.next()) {
        unpack(entry.get(), tar);
      }
    } catch (ZipException | EOFException e) {
      throw new BadArchive("damaged gzip data: " + e.getMessage());
    }
    for (Path link : links) {
      unlessInside(link);
    }
    if (entries.isEmpty()) {
      throw new BadArchive("the archive is empty");
    }
  }

  private void unpack(TarEntry entry, TarReader tar) throws IOException, StepFailed {
    Optional<Path> name = nameOf(entry);
    if (name.isEmpty()) {
      return;
    }
    if (entry.hasSetId()) {
      throw new BadArchive(entry.name() + ": has a set-id bit");
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
  private static Optional<Path> nameOf(TarEntry entry) throws BadArchive {
    String name = entry.name();
    if (name.isEmpty() || name.length() > LONGEST_NAME) {
      throw new BadArchive("a name of " + name.length() + " characters");
    }
    if (name.startsWith("/")) {
      throw new BadArchive(name + ": is not relative");
    }
    Path relative = Path.of("");
    for (String part : name.split("/", -1)) {
      if (part.equals("..")) {
        throw new BadArchive(name + ": climbs out");
      }
      if (!part.isEmpty() && !part.equals(".")) {
        relative = relative.resolve(onePart(name, part));
      }
    }
    if (relative.equals(Path.of(Marker.NAME))) {
      throw new BadArchive(Marker.NAME + ": is not for an archive to have");
    }
    return relative.toString().isEmpty() ? Optional.empty() : Optional.of(relative);
  }

  private static Path onePart(String name, String part) throws BadArchive {
    try {
      return Path.of(part);
    } catch (InvalidPathException _) {
      throw new BadArchive(name.replace('\0', '?') + ": is no name");
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

  private void claim(Path name, TarEntry.Kind kind) throws BadArchive {
    if (entries.putIfAbsent(name, kind) != null || exists(root.resolve(name))) {
      throw new BadArchive(name + ": is there twice");
    }
    if (entries.size() > MOST_ENTRIES) {
      throw new BadArchive("more than " + MOST_ENTRIES + " files");
    }
  }

  private static boolean exists(Path path) {
    return Files.exists(path, LinkOption.NOFOLLOW_LINKS);
  }

  private void write(TarEntry entry, TarReader tar, Path path) throws IOException, StepFailed {
    if (entry.size() > bound - unpacked) {
      throw new BadArchive("more than " + bound + " bytes when unpacked");
    }
    unpacked += entry.size();
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
      files.allowExecution(path);
    }
  }

  private void createLink(TarEntry entry, Path path) throws IOException {
    if (entry.target().isEmpty() || entry.target().startsWith("/")) {
      throw new BadArchive(entry.name() + ": leads out");
    }
    files.createLink(path, onePart(entry.name(), entry.target()));
    links.add(path);
  }

  /// Where it really leads, over all others.
  private void unlessInside(Path link) throws IOException {
    Path name = root.relativize(link);
    try {
      if (!link.toRealPath().startsWith(root.toRealPath())) {
        throw new BadArchive(name + ": leads out");
      }
    } catch (BadArchive e) {
      throw e;
    } catch (IOException _) {
      throw new BadArchive(name + ": leads nowhere");
    }
  }
}
