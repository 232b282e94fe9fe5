package dev.uplift.temporaldev.stack;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// A wall clock with an offset for all processes of a host, by a preloaded library. The offset may change at run time.
public final class SkewedClock {
  private static final Path COMPILER = Path.of("/usr/bin/cc");
  private static final String SOURCE =
      """
      #include <fcntl.h>
      #include <stdlib.h>
      #include <sys/mman.h>
      #include <sys/syscall.h>
      #include <sys/time.h>
      #include <time.h>
      #include <unistd.h>

      static volatile long *offset;

      __attribute__((constructor)) static void begin(void) {
        const char *file = getenv("CLOCK_OFFSET_FILE");
        int open_file = file ? open(file, O_RDONLY | O_CLOEXEC) : -1;
        void *at = open_file < 0 ? MAP_FAILED : mmap(0, 8, PROT_READ, MAP_SHARED, open_file, 0);
        if (at != MAP_FAILED) offset = at;
      }

      int clock_gettime(clockid_t clock, struct timespec *now) {
        int result = syscall(SYS_clock_gettime, clock, now);
        if (!result && offset && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
          now->tv_sec += *offset;
        return result;
      }

      int gettimeofday(struct timeval *restrict now, void *restrict zone) {
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        now->tv_sec = at.tv_sec;
        now->tv_usec = at.tv_nsec / 1000;
        return 0;
      }

      time_t time(time_t *now) {
        struct timespec at;
        clock_gettime(CLOCK_REALTIME, &at);
        if (now) *now = at.tv_sec;
        return at.tv_sec;
      }
      """;

  private final Path library;
  private final Path offsetFile;

  private SkewedClock(Path library, Path offsetFile) {
    this.library = library;
    this.offsetFile = offsetFile;
  }

  /// Compiles the library; empty without a C compiler.
  public static Optional<SkewedClock> compile(Path folder) throws IOException, InterruptedException {
    if (!Files.isExecutable(COMPILER)) {
      return Optional.empty();
    }
    Path source = Files.writeString(folder.resolve("clock-offset.c"), SOURCE);
    Path library = folder.resolve("clock-offset.so");
    Process compiler =
        new ProcessBuilder(COMPILER.toString(), "-shared", "-fPIC", "-o", library.toString(), source.toString())
            .inheritIO()
            .start();
    if (compiler.waitFor() != 0) {
      return Optional.empty();
    }
    var clock = new SkewedClock(library, folder.resolve("offset"));
    clock.setOffset(Duration.ZERO);
    return Optional.of(clock);
  }

  public void setTo(Instant instant) throws IOException {
    setOffset(Duration.between(Instant.now(), instant));
  }

  public void setOffset(Duration offset) throws IOException {
    var seconds = ByteBuffer.allocate(8).order(ByteOrder.nativeOrder());
    seconds.putLong(offset.toSeconds());
    try (var file = new RandomAccessFile(offsetFile.toFile(), "rw")) {
      file.write(seconds.array());
    }
  }

  /// Applies the clock to a host from its next start on.
  public StackHost applyTo(StackHost stackHost) {
    return stackHost
        .environment("LD_PRELOAD", library.toString())
        .environment("CLOCK_OFFSET_FILE", offsetFile.toString());
  }
}
