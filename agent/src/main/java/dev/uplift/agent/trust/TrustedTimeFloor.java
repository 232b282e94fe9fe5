package dev.uplift.agent.trust;

import static java.lang.System.Logger.Level.INFO;
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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A time that has certainly passed, whatever the clock of the board says: the time of this build, or the newest time
/// that a server has stated, which is kept on the disk. It never falls.
///
/// Certificates and roots are judged by it, so a time of the far future, told once, would end the host for good. It
/// therefore rises in steps, a day apart, and never past the time at which all that the host trusts has expired anyway.
public final class TrustedTimeFloor {
  private static final System.Logger LOG = System.getLogger(TrustedTimeFloor.class.getName());

  /// So that the disk is not worn.
  private static final Duration WRITE_INTERVAL = Duration.ofHours(1);

  /// What servers may add to it within [#STEP_INTERVAL], beside the time that passes. A host that was off for years
  /// gets there in days; a server whose clock is wrong for an hour takes no more than this from the host.
  private static final Duration STEP = Duration.ofDays(90);

  private static final Duration STEP_INTERVAL = Duration.ofDays(1);

  private final FileOps files;
  private final @Nullable Path file;
  private final LongSupplier nanos;
  private Supplier<Instant> ceiling = () -> Instant.MAX;
  private Instant floor;
  private Instant lastWritten = Instant.EPOCH;
  private Instant stepFrom;
  private long stepBegan;
  private boolean isLimited;

  private TrustedTimeFloor(FileOps files, @Nullable Path file, Instant floor, LongSupplier nanos) {
    this.files = files;
    this.file = file;
    this.floor = floor;
    this.nanos = nanos;
    this.stepFrom = floor;
    this.stepBegan = nanos.getAsLong();
  }

  /// Kept in the file `time` of a folder. What cannot be read there counts for nothing.
  public static TrustedTimeFloor inFolder(FileOps files, Path folder) {
    return inFolder(files, folder, System::nanoTime);
  }

  static TrustedTimeFloor inFolder(FileOps files, Path folder, LongSupplier nanos) {
    Path file = folder.resolve("time");
    TrustedTimeFloor time = new TrustedTimeFloor(files, file, buildTime(), nanos);
    readStored(file)
        .ifPresent(at -> {
          time.lastWritten = at;
          time.floor = later(time.floor, at);
          time.stepFrom = time.floor;
        });
    return time;
  }

  /// Returns one that forgets everything when the process ends.
  public static TrustedTimeFloor inMemory() {
    return inMemory(System::nanoTime);
  }

  /// Returns one that forgets everything when the process ends, and takes its steps by this monotonic clock.
  public static TrustedTimeFloor inMemory(LongSupplier nanos) {
    return new TrustedTimeFloor(FileOps.onDisk(), null, buildTime(), nanos);
  }

  /// From now on it does not rise past this time, which is asked for each time; it falls to it if it is later.
  ///
  /// @param latest when all that the host trusts has expired
  public synchronized void setCeiling(Supplier<Instant> latest) {
    ceiling = latest;
    floor = earlier(floor, latest.get());
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
    Instant believed = earlier(now, earlier(limit(), ceiling.get()));
    if (believed.isBefore(now) && !isLimited) {
      LOG.log(
          INFO,
          "a server says that it is {0}: this host takes it for {1} at least, until it is confirmed",
          now,
          believed);
      isLimited = true;
    }
    stepFrom = floor.equals(Instant.EPOCH) ? believed : stepFrom;
    floor = later(floor, believed);
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

  /// No limit where nothing is known yet: this program does not say when it was built.
  private Instant limit() {
    if (floor.equals(Instant.EPOCH)) {
      return Instant.MAX;
    }
    long passed = nanos.getAsLong() - stepBegan;
    if (passed >= STEP_INTERVAL.toNanos()) {
      stepFrom = floor;
      stepBegan += passed;
      passed = 0;
    }
    return later(floor, stepFrom.plus(STEP).plusNanos(passed));
  }

  private static Instant earlier(Instant one, Instant other) {
    return one.isBefore(other) ? one : other;
  }

  public static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }
}
