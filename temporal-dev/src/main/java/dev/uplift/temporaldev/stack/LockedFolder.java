package dev.uplift.temporaldev.stack;

import static java.util.Objects.requireNonNull;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.file.UserFile;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.StackException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The folder of a stack, locked while it is open: two stacks never share one. The lock ends with this process, even if
/// it is killed.
final class LockedFolder implements AutoCloseable {
  private final Path path;
  private final FileChannel lock;

  private LockedFolder(Path path, FileChannel lock) {
    this.path = path;
    this.lock = lock;
  }

  /// Opens the folder. Throws if another process, or another stack of this process, has it open.
  static LockedFolder open(Path path) {
    Path folder = createFolder(path.toAbsolutePath().normalize());
    Path file = folder.resolve("lock");
    try {
      var channel =
          FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (tryLock(channel) == null) {
        channel.close();
        throw new StackException(
            "%s is in use by process %s: end that first, or use another folder"
                .formatted(folder, Files.readString(file).strip()));
      }
      channel.truncate(0);
      channel.write(ByteBuffer.wrap((ProcessHandle.current().pid() + "\n").getBytes(StandardCharsets.US_ASCII)));
      return new LockedFolder(folder, channel);
    } catch (IOException e) {
      throw new StackException("cannot open the folder " + folder + ": " + e, e);
    }
  }

  private static Path createFolder(Path folder) {
    try {
      return PrivateFile.createFolder(folder);
    } catch (UncheckedIOException e) {
      String why = UserFile.describe(requireNonNull(e.getCause()));
      throw new StackException("cannot create the folder " + folder + " (" + why + "): use another folder", e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException _) {
      return null;
    }
  }

  Path path() {
    return path;
  }

  Path resolve(String name) {
    return path.resolve(name);
  }

  /// Returns the tag of the folder, which never changes.
  ProcessTag tag() {
    return new ProcessTag(PrivateFile.readOrCreate(resolve("id"), () -> ProcessTag.random().value()));
  }

  static Optional<String> readIfPresent(Path file) {
    try {
      return Optional.of(Files.readString(file).strip());
    } catch (IOException _) {
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    try {
      lock.close();
    } catch (IOException e) {
      throw new StackException("cannot unlock " + path, e);
    }
  }
}
