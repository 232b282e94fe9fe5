package dev.uplift.api.artifacts;

import dev.uplift.fleet.NameRule;
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

/// The artifacts of all tenants, each a file named by its digest in its tenant's folder. A file that exists is complete
/// and correct, even after a crash. A tenant has only what it has uploaded.
public final class ArtifactFolder {
  private static final String PARTIAL_PREFIX = ".part-";

  private final Path folder;

  /// Creates the folder if it does not exist.
  public ArtifactFolder(Path folder) throws IOException {
    this.folder = Files.createDirectories(folder);
  }

  /// A stored artifact.
  record Artifact(Path file, long sizeBytes) {}

  /// The result of an upload.
  sealed interface UploadResult {
    record Stored(long sizeBytes) implements UploadResult {}

    record AlreadyStored(long sizeBytes) implements UploadResult {}

    /// The bytes do not match the digest. Nothing was stored.
    record DigestMismatch(String digest) implements UploadResult {}
  }

  Optional<Artifact> find(String tenant, String digest) {
    Path file = home(tenant).resolve(digest);
    try {
      return Optional.of(new Artifact(file, Files.size(file)));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// A name that is a path never gets here; it would lead out of the folder.
  private Path home(String tenant) {
    NameRule.TENANT.requireValid(tenant);
    return folder.resolve(tenant);
  }

  /// Returns the size of an artifact; empty if it is not stored.
  public Optional<Long> size(String tenant, String digest) {
    return find(tenant, digest).map(Artifact::sizeBytes);
  }

  /// Reads `bytes` to the end, and stores them durably if they match the digest.
  ///
  /// @param keep false only checks
  UploadResult put(String tenant, String digest, InputStream bytes, boolean keep) throws IOException {
    if (find(tenant, digest).isPresent()) {
      StreamDigest streamDigest = StreamDigest.draining(bytes);
      return streamDigest.matches(digest)
          ? new UploadResult.AlreadyStored(streamDigest.sizeBytes())
          : digestMismatch(streamDigest);
    }
    if (!keep) {
      return uploadResult(StreamDigest.draining(bytes), digest);
    }
    Path home = Files.createDirectories(home(tenant));
    Path part = home.resolve(PARTIAL_PREFIX + UUID.randomUUID());
    try {
      StreamDigest streamDigest = write(bytes, part);
      if (streamDigest.matches(digest)) {
        Files.move(part, home.resolve(digest), StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(home);
      }
      return uploadResult(streamDigest, digest);
    } finally {
      Files.deleteIfExists(part);
    }
  }

  private static UploadResult uploadResult(StreamDigest streamDigest, String digest) {
    return streamDigest.matches(digest)
        ? new UploadResult.Stored(streamDigest.sizeBytes())
        : digestMismatch(streamDigest);
  }

  private static UploadResult digestMismatch(StreamDigest streamDigest) {
    return new UploadResult.DigestMismatch(streamDigest.digest());
  }

  private static StreamDigest write(InputStream bytes, Path part) throws IOException {
    try (FileChannel out = FileChannel.open(part, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      StreamDigest streamDigest = StreamDigest.copying(out, bytes);
      out.force(true);
      return streamDigest;
    }
  }

  private static void syncDirectory(Path home) throws IOException {
    try (FileChannel entries = FileChannel.open(home, StandardOpenOption.READ)) {
      entries.force(true);
    }
  }
}
