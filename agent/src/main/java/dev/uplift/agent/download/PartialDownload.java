package dev.uplift.agent.download;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.agent.driver.DiskFailures;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.files.FileOps;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// The part of an artifact that has arrived, in a file named by the SHA-256 of the whole. Its digest is that of the
/// bytes on the disk.
final class PartialDownload implements Closeable {
  private final FileOps files;
  private final Path folder;
  private final Path file;
  private final Path entityTag;
  private final Sha256 digest;
  private final FileOps.Sink sink;
  private long length;

  private PartialDownload(FileOps files, Path folder, String sha256) throws IOException {
    this.files = files;
    this.folder = folder;
    this.file = folder.resolve(sha256 + ".part");
    this.entityTag = folder.resolve(sha256 + ".tag");
    boolean resumed = Files.exists(file);
    this.digest = resumed ? Sha256.of(file) : new Sha256();
    this.length = resumed ? Files.size(file) : 0;
    this.sink = files.append(file);
  }

  static PartialDownload open(FileOps files, Path folder, String sha256) throws IOException {
    return new PartialDownload(files, folder, sha256);
  }

  long length() {
    return length;
  }

  /// The entity tag of the server that the part came from; empty if it gave none.
  String entityTag() throws IOException {
    return Files.exists(entityTag) ? Files.readString(entityTag) : "";
  }

  /// Nothing has arrived. What comes will carry this tag.
  void startOver(String newTag) throws IOException {
    startOver();
    if (newTag.isEmpty()) {
      files.delete(entityTag);
    } else {
      files.write(entityTag, newTag.getBytes(UTF_8));
    }
  }

  void startOver() throws IOException {
    files.truncate(file, 0);
    digest.reset();
    length = 0;
  }

  void append(byte[] bytes, int count) throws StepFailed {
    try {
      sink.write(bytes, 0, count);
    } catch (IOException e) {
      throw DiskFailures.stepFailed(e, files, file);
    }
    digest.add(bytes, count);
    length += count;
  }

  /// May be asked once; nothing may be added afterwards but after [#startOver()].
  boolean hasDigest(String sha256) {
    return digest.isHex(sha256);
  }

  void finish(Path whole) throws IOException {
    sink.force();
    files.rename(file, whole);
    files.delete(entityTag);
    files.force(folder);
  }

  @Override
  public void close() throws IOException {
    sink.close();
  }
}
