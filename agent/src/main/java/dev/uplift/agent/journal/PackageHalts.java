package dev.uplift.agent.journal;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.PackageHalt;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/// The packages that barriers have halted on this host, in a file. What a method has changed is on the disk when it
/// returns; where it throws, nothing has changed. Safe for use by several threads.
///
/// A halt is over when the server's time says so, or when the time that was left has passed on the monotonic clock,
/// whichever comes first: so no clock that stands still, jumps or is unknown keeps a host halted. Of the time that was
/// left, a restart of the agent counts what had passed when it was last [saved][#saveTimeLeft()].
public final class PackageHalts {
  private static final System.Logger LOG = System.getLogger(PackageHalts.class.getName());
  private static final String FILE = "halts.json";
  private static final int MAX_HALTS = 16;
  private static final int MAX_BYTES = 8 * 1024;

  private final FileOps files;
  private final Optional<Path> file;
  private final LongSupplier nanos;
  private SortedMap<String, PackageHalt> halts = new TreeMap<>();

  /// When each is over at the latest, on the monotonic clock.
  private final Map<String, Long> ends = new HashMap<>();

  private PackageHalts(FileOps files, Optional<Path> file, LongSupplier nanos) {
    this.files = files;
    this.file = file;
    this.nanos = nanos;
  }

  /// Reads what an agent before this one has left. A file that cannot be read is as if nothing was halted: a host
  /// without an agent would be worse, and the server has it resume all the same.
  ///
  /// @param nanos the monotonic clock
  public static PackageHalts inFolder(FileOps files, Path stateFolder, LongSupplier nanos) {
    var halts = new PackageHalts(files, Optional.of(stateFolder.resolve(FILE)), nanos);
    halts.read();
    return halts;
  }

  /// For hosts that are only played: all is forgotten with the process.
  public static PackageHalts inMemory() {
    return new PackageHalts(FileOps.onDisk(), Optional.empty(), System::nanoTime);
  }

  private void read() {
    Path from = file.orElseThrow();
    try {
      JsonObject in = JsonObject.parse(FieldLimits.requireMaxBytes("halts", Files.readAllBytes(from), MAX_BYTES));
      for (String packageName : in.names()) {
        JsonObject halt = in.object(packageName);
        halts.put(packageName, new PackageHalt(halt.string("barrier"), halt.instant("until")));
        ends.put(packageName, nanos.getAsLong() + Duration.ofMillis(halt.number("left_ms")).toNanos());
      }
    } catch (NoSuchFileException _) {
      // Nothing was ever halted.
    } catch (IOException | MalformedMessage e) {
      LOG.log(WARNING, "what barriers have halted cannot be read: {0}", e.toString());
      halts.clear();
    }
  }

  /// Returns all that are recorded, by package. Some may be over, and have the host resume yet.
  public synchronized SortedMap<String, PackageHalt> all() {
    return Collections.unmodifiableSortedMap(new TreeMap<>(halts));
  }

  public synchronized Optional<PackageHalt> find(String packageName) {
    return Optional.ofNullable(halts.get(packageName));
  }

  /// Records a halt, in place of that of another barrier. The same one again is no longer than before.
  ///
  /// @param left for how long at most
  /// @throws MalformedMessage if it is one too many
  public synchronized void set(String packageName, PackageHalt halt, Duration left) throws IOException {
    if (halt.equals(halts.get(packageName))) {
      return;
    }
    var changed = new TreeMap<>(halts);
    changed.put(packageName, halt);
    if (changed.size() > MAX_HALTS) {
      throw new MalformedMessage("expected at most %d halted packages".formatted(MAX_HALTS));
    }
    Duration bounded = left.compareTo(PackageHalt.MAX_DURATION) < 0 ? left : PackageHalt.MAX_DURATION;
    var changedEnds = new HashMap<>(ends);
    changedEnds.put(packageName, nanos.getAsLong() + bounded.toNanos());
    write(changed, changedEnds);
    halts = changed;
    ends.putAll(changedEnds);
  }

  /// Forgets a halt, if it is this one.
  public synchronized void end(String packageName, PackageHalt halt) throws IOException {
    if (halt.equals(halts.get(packageName))) {
      var changed = new TreeMap<>(halts);
      changed.remove(packageName);
      write(changed, ends);
      halts = changed;
      ends.remove(packageName);
    }
  }

  /// Returns how long a halt lasts at most; zero or less if it is over, or there is none.
  ///
  /// @param earliest by the server's clock it is this late at least
  public synchronized Duration timeLeft(String packageName, Instant earliest) {
    PackageHalt halt = halts.get(packageName);
    if (halt == null) {
      return Duration.ZERO;
    }
    Duration left = Duration.ofNanos(ends.getOrDefault(packageName, 0L) - nanos.getAsLong());
    Duration byServer = Duration.between(earliest, halt.until());
    return byServer.compareTo(left) < 0 ? byServer : left;
  }

  /// Saves how much time is left of each, for an agent after this one. Writes nothing if nothing is halted.
  public synchronized void saveTimeLeft() throws IOException {
    if (!halts.isEmpty()) {
      write(halts, ends);
    }
  }

  private void write(SortedMap<String, PackageHalt> all, Map<String, Long> allEnds) throws IOException {
    if (file.isPresent()) {
      long now = nanos.getAsLong();
      byte[] text =
          JsonWriter.toBytes(out ->
              all.forEach((packageName, halt) -> {
                long left = Duration.ofNanos(allEnds.getOrDefault(packageName, now) - now).toMillis();
                out.put(
                    packageName,
                    inner ->
                        inner
                            .put("barrier", halt.barrier())
                            .put("until", halt.until())
                            .put("left_ms", Math.max(0, left)));
              }));
      files.write(file.get(), FieldLimits.requireMaxBytes("halts", text, MAX_BYTES));
    }
  }
}
