package dev.uplift.agent.files;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/// The one seam for what changes the disk. Reading needs no seam.
///
/// The first group are the operations that power may fail between; what is built on them keeps the order that survives
/// it.
public interface FileOps {

  /// Writes to one file, at its end.
  interface Sink extends Closeable {
    void write(byte[] bytes, int offset, int length) throws IOException;

    /// Forces what was written to the disk.
    void force() throws IOException;

    @Override
    void close() throws IOException;
  }

  /// Opens a file, new if there is none, to add at its end.
  Sink append(Path file) throws IOException;

  /// Creates a file that only its owner can read and write, from the first moment on. Fails if there is one.
  Sink createPrivate(Path file) throws IOException;

  /// Cuts a file to so many bytes.
  void truncate(Path file, long length) throws IOException;

  /// One folder, whose parent is there. Nothing happens if it exists.
  void createFolder(Path folder) throws IOException;

  /// As [#createFolder], accessible by the owner only; a folder that exists is restricted to its owner.
  void createPrivateFolder(Path folder) throws IOException;

  /// A symbolic link at a place where nothing is yet.
  void createLink(Path link, Path target) throws IOException;

  void makeExecutable(Path file) throws IOException;

  /// Returns the time of the last change, as recorded by the file system.
  void setModifiedTime(Path file, Instant at) throws IOException;

  /// In one instant, replacing a file or link of that name. Both in one file system.
  void rename(Path from, Path to) throws IOException;

  /// A file, link or empty folder; nothing happens if there is none.
  void delete(Path path) throws IOException;

  /// Forces the content of this file, or the names in this folder, to the disk.
  void force(Path path) throws IOException;

  /// Of the file system where this path is, or is going to be.
  DiskSpace space(Path path) throws IOException;

  static FileOps onDisk() {
    return new DiskFileOps();
  }

  /// The folder and those above it that are missing, forced.
  default void createFolders(Path folder) throws IOException {
    if (Files.isDirectory(folder)) {
      return;
    }
    Path parent = folder.toAbsolutePath().getParent();
    if (parent != null) {
      createFolders(parent);
    }
    createFolder(folder);
    if (parent != null) {
      force(parent);
    }
  }

  /// Readers find the old content or the new, also after a power cut. Its folder has to be there.
  default void write(Path file, byte[] content) throws IOException {
    Path unfinished = unfinishedSibling(file);
    delete(unfinished);
    try (Sink sink = append(unfinished)) {
      sink.write(content, 0, content.length);
      sink.force();
    }
    rename(unfinished, file);
    force(folderOf(file));
  }

  /// As [#write], readable by the owner only at any time.
  default void writePrivate(Path file, byte[] content) throws IOException {
    Path unfinished = unfinishedSibling(file);
    delete(unfinished);
    try (Sink sink = createPrivate(unfinished)) {
      sink.write(content, 0, content.length);
      sink.force();
    }
    rename(unfinished, file);
    force(folderOf(file));
  }

  /// Readers find the old target or the new, never no link.
  default void replaceLink(Path link, Path target) throws IOException {
    Path unfinished = unfinishedSibling(link);
    delete(unfinished);
    createLink(unfinished, target);
    rename(unfinished, link);
    force(folderOf(link));
  }

  /// Every file and folder of the tree is on the disk afterwards, its own name in its parent is not yet.
  default void forceTree(Path folder) throws IOException {
    for (Path path : treeOf(folder)) {
      if (!Files.isSymbolicLink(path)) {
        force(path);
      }
    }
  }

  /// A file, or a folder with all that is in it. Links are deleted, not followed.
  default void deleteTree(Path path) throws IOException {
    if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    for (Path each : treeOf(path)) {
      delete(each);
    }
    force(folderOf(path));
  }

  /// The deepest first.
  private static List<Path> treeOf(Path path) throws IOException {
    try (Stream<Path> paths = Files.walk(path)) {
      return paths.toList().reversed();
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private static Path folderOf(Path file) {
    Path folder = file.toAbsolutePath().getParent();
    return folder == null ? file : folder;
  }

  private static Path unfinishedSibling(Path file) {
    return file.resolveSibling("." + file.getFileName() + ".unfinished");
  }
}
