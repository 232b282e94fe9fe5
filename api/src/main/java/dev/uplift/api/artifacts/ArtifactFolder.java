package dev.uplift.api.artifacts;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.UUID;

/// The artifacts of all tenants, each a file named by its digest in its tenant's folder. A file
/// that is there is whole and right, whatever was killed when; a tenant has only what it brought
/// itself.
public final class ArtifactFolder {
  private static final String UNFINISHED = ".part-";

  private final Path folder;

  /// Makes the folder, if need be.
  public ArtifactFolder(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /// An artifact that is there.
  record Artifact(Path file, long sizeBytes) {}

  /// What came of an upload.
  sealed interface Upload {
    record Kept(long sizeBytes) implements Upload {}

    record WasThere(long sizeBytes) implements Upload {}

    /// Other bytes than the name says. Nothing was kept.
    record Other(String digest) implements Upload {}
  }

  Optional<Artifact> find(String tenant, String digest) {
    Path file = folder.resolve(tenant).resolve(digest);
    try {
      return Optional.of(new Artifact(file, Files.size(file)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Size of an artifact, if it is there.
  public Optional<Long> size(String tenant, String digest) {
    return find(tenant, digest).map(Artifact::sizeBytes);
  }

  /// Reads `bytes` to the end; if they are what the digest says, they are there for good
  /// afterwards.
  ///
  /// @param keep false: only checks
  Upload put(String tenant, String digest, InputStream bytes, boolean keep) throws IOException {
    if (find(tenant, digest).isPresent()) {
      Copied copied = Copied.nowhere(bytes);
      return copied.is(digest) ? new Upload.WasThere(copied.sizeBytes()) : other(copied);
    }
    if (!keep) {
      return kept(Copied.nowhere(bytes), digest);
    }
    Path home = Files.createDirectories(folder.resolve(tenant));
    Path part = home.resolve(UNFINISHED + UUID.randomUUID());
    try {
      Copied copied = write(bytes, part);
      if (copied.is(digest)) {
        Files.move(part, home.resolve(digest), StandardCopyOption.ATOMIC_MOVE);
        force(home);
      }
      return kept(copied, digest);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static Upload kept(Copied copied, String digest) {
    return copied.is(digest) ? new Upload.Kept(copied.sizeBytes()) : other(copied);
  }

  private static Upload other(Copied copied) {
    return new Upload.Other(copied.digest());
  }

  private static Copied write(InputStream bytes, Path part) throws IOException {
    try (FileChannel out =
        FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      Copied copied = Copied.to(out, bytes);
      out.force(true);
      return copied;
    }
  }

  private static void force(Path home) throws IOException {
    try (FileChannel entries = FileChannel.open(home, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }
}
