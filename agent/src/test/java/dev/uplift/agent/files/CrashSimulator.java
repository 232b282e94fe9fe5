package dev.uplift.agent.files;

import static java.nio.file.StandardOpenOption.APPEND;
import static java.nio.file.StandardOpenOption.CREATE;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Blocks the thread that makes the n-th change of this disk, and every thread that wants to change it later: killing
/// the process then leaves what a crash at exactly that point leaves. So one process crashes at many points at once.
///
/// A [CrashPoint] is given to a program as the file `dies`, in the folder of what is to die; that it stands there is
/// told by the file `stands` beside it.
public final class CrashSimulator implements ObservedFileOps.Observer {
  private static final String CRASH_AT = "crash-at";
  private static final String CRASHED = "crashed";

  /// Before or after one of the changes of the disk, the first of which is 1.
  public record CrashPoint(boolean before, int change) {
    /// The folder of what is to die here.
    public String name() {
      return (before ? "before-" : "after-") + change;
    }

    public void write(Path folder) throws IOException {
      Files.writeString(folder.resolve(CRASH_AT), name());
    }

    /// All that there are where so many changes are made.
    public static List<CrashPoint> around(int changes) {
      return IntStream.rangeClosed(1, changes)
          .boxed()
          .flatMap(change -> Stream.of(new CrashPoint(true, change), new CrashPoint(false, change)))
          .toList();
    }

    /// The one that the folder has its name from.
    public static CrashPoint of(Path folder) {
      return named(folder.getFileName().toString());
    }

    private static CrashPoint read(Path folder) throws IOException {
      return named(Files.readString(folder.resolve(CRASH_AT)));
    }

    private static CrashPoint named(String name) {
      return new CrashPoint(name.startsWith("before-"), Integer.parseInt(name.substring(name.indexOf('-') + 1)));
    }
  }

  private final CrashPoint point;
  private final Path crashedFile;
  private final Runnable onCrash;
  private final AtomicInteger changes = new AtomicInteger();

  /// The change that a thread makes at the moment.
  private final ThreadLocal<Integer> currentChange = ThreadLocal.withInitial(() -> 0);

  private CrashSimulator(CrashPoint point, Path crashedFile, Runnable onCrash) {
    this.point = point;
    this.crashedFile = crashedFile;
    this.onCrash = onCrash;
  }

  /// Returns the file operations for an agent in this folder.
  ///
  /// @param onCrash run by the thread that comes to a stand, once it is known to stand
  public static FileOps inFolder(Path folder, Runnable onCrash) throws IOException {
    return Files.exists(folder.resolve(CRASH_AT))
        ? new ObservedFileOps(new CrashSimulator(CrashPoint.read(folder), folder.resolve(CRASHED), onCrash))
        : FileOps.onDisk();
  }

  /// The disk, with a line in this file for each change that is made to it.
  public static FileOps recordingTo(Path file) {
    return new ObservedFileOps(
        new ObservedFileOps.Observer() {
          @Override
          public synchronized void before(String operation, Path path) throws IOException {
            Files.writeString(file, operation + " " + path + "\n", CREATE, APPEND);
          }
        });
  }

  /// Returns whether the agent in this folder has reached its point.
  public static boolean hasCrashed(Path folder) {
    return Files.exists(folder.resolve(CRASHED));
  }

  /// The next one who works there does not die.
  public static void clear(Path folder) throws IOException {
    Files.delete(folder.resolve(CRASH_AT));
    Files.delete(folder.resolve(CRASHED));
  }

  @Override
  public void before(String operation, Path path) throws IOException {
    int change = changes.incrementAndGet();
    currentChange.set(change);
    if (change > point.change() || (change == point.change() && point.before())) {
      freeze(change);
    }
  }

  @Override
  public void after(String operation, Path path) throws IOException {
    if (currentChange.get() == point.change()) {
      freeze(currentChange.get());
    }
  }

  private void freeze(int change) throws IOException {
    if (change == point.change()) {
      Files.createFile(crashedFile);
      onCrash.run();
    }
    while (true) {
      // Also when it is interrupted: it is dead, only that the process still is there.
      LockSupport.park(this);
      boolean _ = Thread.interrupted();
    }
  }
}
