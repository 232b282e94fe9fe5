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

/// Whoever works on this disk stands still at the n-th change of it, and so does everybody who
/// wants to change it after that: what a kill of the process leaves then is what it leaves who dies
/// at exactly that point. So one process dies at many points at once.
///
/// A [Point] is given to a program as the file `dies`, in the folder of what is to die; that it
/// stands there is told by the file `stands` beside it.
public final class StandStill implements WatchedFiles.Watcher {
  private static final String DIES = "dies";
  private static final String STANDS = "stands";

  /// Before or after one of the changes of the disk, the first of which is 1.
  public record Point(boolean before, int change) {
    /// The folder of what is to die here.
    public String name() {
      return (before ? "before-" : "after-") + change;
    }

    public void write(Path folder) throws IOException {
      Files.writeString(folder.resolve(DIES), name());
    }

    /// All that there are where so many changes are made.
    public static List<Point> around(int changes) {
      return IntStream.rangeClosed(1, changes)
          .boxed()
          .flatMap(change -> Stream.of(new Point(true, change), new Point(false, change)))
          .toList();
    }

    /// The one that the folder has its name from.
    public static Point of(Path folder) {
      return named(folder.getFileName().toString());
    }

    private static Point read(Path folder) throws IOException {
      return named(Files.readString(folder.resolve(DIES)));
    }

    private static Point named(String name) {
      return new Point(
          name.startsWith("before-"), Integer.parseInt(name.substring(name.indexOf('-') + 1)));
    }
  }

  private final Point point;
  private final Path stands;
  private final Runnable atTheEnd;
  private final AtomicInteger changes = new AtomicInteger();

  /// The change that a thread makes at the moment.
  private final ThreadLocal<Integer> own = ThreadLocal.withInitial(() -> 0);

  private StandStill(Point point, Path stands, Runnable atTheEnd) {
    this.point = point;
    this.stands = stands;
    this.atTheEnd = atTheEnd;
  }

  /// The disk for whoever works in this folder.
  ///
  /// @param atTheEnd run by the thread that comes to a stand, once it is known to stand
  public static FileOps in(Path folder, Runnable atTheEnd) throws IOException {
    return Files.exists(folder.resolve(DIES))
        ? new WatchedFiles(new StandStill(Point.read(folder), folder.resolve(STANDS), atTheEnd))
        : FileOps.onDisk();
  }

  /// The disk, with a line in this file for each change that is made to it.
  public static FileOps noted(Path file) {
    return new WatchedFiles(
        new WatchedFiles.Watcher() {
          @Override
          public synchronized void before(String operation, Path path) throws IOException {
            Files.writeString(file, operation + " " + path + "\n", CREATE, APPEND);
          }
        });
  }

  /// Whether what works in this folder has come to its point.
  public static boolean isIn(Path folder) {
    return Files.exists(folder.resolve(STANDS));
  }

  /// The next one who works there does not die.
  public static void end(Path folder) throws IOException {
    Files.delete(folder.resolve(DIES));
    Files.delete(folder.resolve(STANDS));
  }

  @Override
  public void before(String operation, Path path) throws IOException {
    int change = changes.incrementAndGet();
    own.set(change);
    if (change > point.change() || (change == point.change() && point.before())) {
      stand(change);
    }
  }

  @Override
  public void after(String operation, Path path) throws IOException {
    if (own.get() == point.change()) {
      stand(own.get());
    }
  }

  private void stand(int change) throws IOException {
    if (change == point.change()) {
      Files.createFile(stands);
      atTheEnd.run();
    }
    while (true) {
      // Also when it is interrupted: it is dead, only that the process still is there.
      LockSupport.park(this);
      boolean _ = Thread.interrupted();
    }
  }
}
