package dev.uplift.agent;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The exclusive right to work on the host. The end of the process releases it, however it ends.
final class HostLock {
  static final Duration RETRY_INTERVAL = Duration.ofMillis(100);

  private final FileChannel channel;
  private final FileLock lock;

  private HostLock(FileChannel channel, FileLock lock) {
    this.channel = channel;
    this.lock = lock;
  }

  /// Waits so long for an agent that is about to end. Throws when it does not.
  static HostLock acquire(Path stateFolder, Duration patience) throws IOException, InterruptedException {
    long until = System.nanoTime() + patience.toNanos();
    while (true) {
      Optional<HostLock> lock = tryAcquire(stateFolder);
      if (lock.isPresent()) {
        return lock.get();
      }
      if (System.nanoTime() > until) {
        throw new IOException("another agent works here: " + stateFolder);
      }
      Thread.sleep(RETRY_INTERVAL);
    }
  }

  /// Empty while another one works.
  static Optional<HostLock> tryAcquire(Path stateFolder) throws IOException {
    FileChannel channel =
        FileChannel.open(stateFolder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    @Nullable FileLock lock = channel.tryLock();
    if (lock == null) {
      channel.close();
      return Optional.empty();
    }
    return Optional.of(new HostLock(channel, lock));
  }

  boolean isHeld() {
    return channel.isOpen() && lock.isValid();
  }
}
