package dev.uplift.agent.trust;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.json.Rfc3339;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A time that has certainly passed, whatever the clock of the board says: the time of this build, or the newest time
/// that a server has stated, which is kept on the disk. It never falls.
public final class TrustedTimeFloor {
  private static final System.Logger LOG = System.getLogger(TrustedTimeFloor.class.getName());

  /// So that the disk is not worn.
  private static final Duration WRITE_INTERVAL = Duration.ofHours(1);

  private final FileOps files;
  private final @Nullable Path file;
  private Instant floor;
  private Instant lastWritten = Instant.EPOCH;

  private TrustedTimeFloor(FileOps files, @Nullable Path file, Instant floor) {
    this.files = files;
    this.file = file;
    this.floor = floor;
  }

  /// Kept in the file `time` of a folder. What cannot be read there counts for nothing.
  public static TrustedTimeFloor inFolder(FileOps files, Path folder) {
    Path file = folder.resolve("time");
    TrustedTimeFloor time = new TrustedTimeFloor(files, file, buildTime());
    readStored(file)
        .ifPresent(at -> {
          time.lastWritten = at;
          time.floor = later(time.floor, at);
        });
    return time;
  }

  /// Returns one that forgets everything when the process ends.
  public static TrustedTimeFloor inMemory() {
    return new TrustedTimeFloor(FileOps.onDisk(), null, buildTime());
  }

  private static Optional<Instant> readStored(Path file) {
    if (!Files.exists(file)) {
      return Optional.empty();
    }
    try {
      return Optional.of(Rfc3339.parse(Files.readString(file).strip()));
    } catch (IOException | DateTimeException e) {
      LOG.log(WARNING, "{0} says no time: {1}", file, e.toString());
      return Optional.empty();
    }
  }

  /// The manifest has it, as the version of the specification.
  private static Instant buildTime() {
    try {
      @Nullable String built = TrustedTimeFloor.class.getPackage().getSpecificationVersion();
      return built == null ? Instant.EPOCH : Rfc3339.parse(built);
    } catch (DateTimeException e) {
      LOG.log(WARNING, "this program does not say when it was made: {0}", e.getMessage());
      return Instant.EPOCH;
    }
  }

  public synchronized Instant floor() {
    return floor;
  }

  /// It was this time just now, says a server.
  public synchronized void raise(Instant now) {
    floor = later(floor, now);
    if (file == null || floor.isBefore(lastWritten.plus(WRITE_INTERVAL))) {
      return;
    }
    try {
      files.write(file, (Rfc3339.format(floor) + "\n").getBytes(StandardCharsets.UTF_8));
      lastWritten = floor;
    } catch (IOException e) {
      // The next one tries again.
      LOG.log(WARNING, "{0} cannot be written: {1}", file, e.toString());
    }
  }

  public static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
