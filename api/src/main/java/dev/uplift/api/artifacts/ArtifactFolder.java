package dev.uplift.api.artifacts;

import dev.uplift.api.settings.ArtifactLimits;
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
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;

/// The artifacts of all tenants, each a file named by its digest in its tenant's folder. A file that exists is complete
/// and correct, even after a crash. A tenant has only what it has uploaded, and no more than its quota: a full disk
/// would stop all tenants, and the database beside them.
public final class ArtifactFolder {
  private static final String PARTIAL_PREFIX = ".part-";

  /// How long an upload may stand still before it counts as broken off.
  private static final Duration STALE = Duration.ofHours(1);

  private final Path folder;
  private final ArtifactLimits limits;

  /// Creates the folder if it does not exist, and deletes the uploads that a server did not live to finish.
  public ArtifactFolder(Path folder, ArtifactLimits limits) throws IOException {
    this.folder = Files.createDirectories(folder);
    this.limits = limits;
    try (Stream<Path> homes = Files.list(folder)) {
      for (Path home : homes.filter(Files::isDirectory).toList()) {
        deleteStaleParts(home);
      }
    }
  }

  /// A stored artifact.
  record Artifact(Path file, long sizeBytes) {}

  /// The result of an upload.
  sealed interface UploadResult {
    record Stored(long sizeBytes) implements UploadResult {}

    record AlreadyStored(long sizeBytes) implements UploadResult {}

    /// The bytes do not match the digest. Nothing was stored.
    record DigestMismatch(String digest) implements UploadResult {}

    /// It would take more than the tenant, or any, may have. Nothing was stored.
    record NoSpace(String reason) implements UploadResult {}
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
  /// @param length of the bytes, as far as it is known; 0 if it is not
  /// @param keep false only checks
  UploadResult put(String tenant, String digest, InputStream bytes, long length, boolean keep) throws IOException {
    if (find(tenant, digest).isPresent()) {
      StreamDigest streamDigest = StreamDigest.draining(bytes);
      return streamDigest.matches(digest)
          ? new UploadResult.AlreadyStored(streamDigest.sizeBytes())
          : digestMismatch(streamDigest);
    }
    Optional<String> noSpace = noSpace(tenant, length);
    if (noSpace.isPresent()) {
      return new UploadResult.NoSpace(noSpace.get());
    }
    if (!keep) {
      return uploadResult(StreamDigest.draining(bytes), digest);
    }
    Path home = Files.createDirectories(home(tenant));
    Path part = home.resolve(PARTIAL_PREFIX + UUID.randomUUID());
    try {
      StreamDigest streamDigest = write(new QuotaInputStream(bytes, () -> noSpace(tenant, 0)), part);
      if (streamDigest.matches(digest)) {
        Files.move(part, home.resolve(digest), StandardCopyOption.ATOMIC_MOVE);
        syncDirectory(home);
      }
      return uploadResult(streamDigest, digest);
    } catch (QuotaInputStream.Exceeded e) {
      return new UploadResult.NoSpace(e.reason());
    } finally {
      Files.deleteIfExists(part);
    }
  }

  /// Deletes all artifacts of a tenant. Does nothing if it has none.
  void deleteAll(String tenant) {
    Path home = home(tenant);
    try (Stream<Path> files = Files.list(home)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(home);
    } catch (NoSuchFileException _) {
      // It has none.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns why an artifact of this length is not stored; empty if there is space.
  private Optional<String> noSpace(String tenant, long length) throws IOException {
    long used = usedBytes(home(tenant));
    if (used + length > limits.tenantBytes()) {
      return Optional.of(
          "the artifacts of %s take %d of the %d MiB that it may have"
              .formatted(tenant, mebibytes(used), mebibytes(limits.tenantBytes())));
    }
    long free = Files.getFileStore(folder).getUsableSpace();
    return free - length < limits.reservedBytes()
        ? Optional.of(
            "the disk of the artifacts has %d MiB left, of which %d stay free"
                .formatted(mebibytes(free), mebibytes(limits.reservedBytes())))
        : Optional.empty();
  }

  private static long mebibytes(long bytes) {
    return bytes >> 20;
  }

  /// What a tenant has, and what it is uploading.
  private static long usedBytes(Path home) throws IOException {
    if (!Files.isDirectory(home)) {
      return 0;
    }
    long used = 0;
    for (Path file : deleteStaleParts(home)) {
      used += file.toFile().length();
    }
    return used;
  }

  /// Deletes uploads that have stood still for long, and returns all other files.
  private static List<Path> deleteStaleParts(Path home) throws IOException {
    Instant stale = Instant.now().minus(STALE);
    List<Path> others = new ArrayList<>();
    try (Stream<Path> files = Files.list(home)) {
      for (Path file : files.toList()) {
        boolean isPart = file.getFileName().toString().startsWith(PARTIAL_PREFIX);
        if (isPart && Instant.ofEpochMilli(file.toFile().lastModified()).isBefore(stale)) {
          Files.deleteIfExists(file);
        } else {
          others.add(file);
        }
      }
    }
    return others;
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
