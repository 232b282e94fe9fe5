package dev.uplift.agent.journal;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The packages that the owner of the host holds, in a file that the command `hold` writes while an agent runs. Read
/// again each time, so that what the owner said counts at once.
public final class OwnerHolds {
  private static final String FILE = "holds.json";
  private static final int MAX_HOLDS = 16;

  /// So that an info has room for them.
  private static final int MAX_BYTES = 8 * 1024;

  private final FileOps files;
  private final Optional<Path> file;

  private OwnerHolds(FileOps files, Optional<Path> file) {
    this.files = files;
    this.file = file;
  }

  public static OwnerHolds inFolder(FileOps files, Path stateFolder) {
    return new OwnerHolds(files, Optional.of(stateFolder.resolve(FILE)));
  }

  /// Returns those of a host without an owner who could hold anything, such as a simulated one.
  public static OwnerHolds none() {
    return new OwnerHolds(FileOps.onDisk(), Optional.empty());
  }

  /// Returns all that were set and not ended, by package. Some may be over.
  ///
  /// @throws IOException if the file cannot be read: then nobody knows what is held
  public SortedMap<String, PackageHold> read() throws IOException {
    if (file.isEmpty() || !Files.exists(file.get())) {
      return new TreeMap<>();
    }
    try {
      return PackageHold.readAll(
          JsonObject.parse(FieldLimits.requireMaxBytes("holds", Files.readAllBytes(file.get()), MAX_BYTES)));
    } catch (NoSuchFileException _) {
      return new TreeMap<>();
    } catch (MalformedMessage e) {
      throw new IOException("%s: %s".formatted(file.get(), e.getMessage()), e);
    }
  }

  /// Returns the hold of a package that is in force.
  ///
  /// @param now empty if the time is unknown: then every hold is in force
  public Optional<PackageHold> find(String packageName, Optional<Instant> now) throws IOException {
    return Optional.ofNullable(read().get(packageName)).filter(hold -> isInForce(hold, now));
  }

  private static boolean isInForce(PackageHold hold, Optional<Instant> now) {
    return hold.until().isEmpty() || now.isEmpty() || now.get().isBefore(hold.until().get());
  }

  /// Holds a package, in place of an earlier hold. On the disk when this returns.
  ///
  /// @throws MalformedMessage if it is one too many, or they are too long together
  public void set(String packageName, PackageHold hold) throws IOException {
    SortedMap<String, PackageHold> holds = read();
    holds.put(packageName, hold);
    if (holds.size() > MAX_HOLDS) {
      throw new MalformedMessage("expected at most %d packages on hold".formatted(MAX_HOLDS));
    }
    write(holds);
  }

  /// Ends the hold of a package. Returns whether there was one.
  public boolean end(String packageName) throws IOException {
    SortedMap<String, PackageHold> holds = read();
    if (holds.remove(packageName) == null) {
      return false;
    }
    write(holds);
    return true;
  }

  private void write(SortedMap<String, PackageHold> holds) throws IOException {
    byte[] text = JsonWriter.toBytes(out -> PackageHold.writeAll(out, holds));
    files.write(file.orElseThrow(), FieldLimits.requireMaxBytes("holds", text, MAX_BYTES));
  }
}
