package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.Jobs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.WatchedFiles;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicInteger;

/// An agent that does nothing but one upgrade to 2.0, or the way back to 1.0, and may be told to
/// die in it: a program of its own, so that it really dies.
///
/// `FOLDER ADDRESS upgrade|rollback [before|after N]`; ends with 0 when all is done, and says how
/// many file operations that took.
final class BundleRunner {
  private static final int KILLED = 137;

  private BundleRunner() {}

  public static void main(String[] arguments) throws IOException {
    Path folder = Path.of(arguments[0]);
    String address = arguments[1];
    var operations = new AtomicInteger();
    FileOps files =
        arguments.length > 3
            ? dyingAt(arguments[3], Integer.parseInt(arguments[4]), operations)
            : counting(operations);
    boolean done = act(folder, files, address, arguments[2]);
    Files.writeString(folder.resolve("operations"), Integer.toString(operations.get()));
    System.exit(done ? 0 : 1);
  }

  /// Whether all answered that it is done.
  static boolean act(Path folder, FileOps files, String address, String what) throws IOException {
    ShopHost host = new ShopHost(folder, files);
    ReleaseManifest release =
        ShopHost.release("2.0", Files.readAllBytes(folder.resolve("archive")));
    Driver driver = host.driver();
    if (what.equals("rollback")) {
      return is(driver.rollback(rollback(release)));
    }
    return is(driver.prepare(host.job("prepare-1", Action.PREPARE, "2.0", release, address)))
        && is(driver.upgrade(host.job("upgrade-1", Action.UPGRADE, "2.0", release, address)));
  }

  private static FakeJob rollback(ReleaseManifest release) {
    return Jobs.job(
        "rollback-1",
        Action.ROLLBACK,
        "1.0",
        release,
        _ -> {
          throw new IllegalStateException("nothing is to be fetched");
        });
  }

  private static boolean is(Result result) {
    if (!result.equals(new Result.Done())) {
      System.err.println(result);
      return false;
    }
    return true;
  }

  private static FileOps counting(AtomicInteger operations) {
    return new WatchedFiles(
        new WatchedFiles.Watcher() {
          @Override
          public void before(String operation, Path path) {
            operations.incrementAndGet();
          }
        });
  }

  /// At once, as if by SIGKILL: no hook runs, nothing is flushed.
  private static FileOps dyingAt(String when, int nth, AtomicInteger operations) {
    boolean early = when.toLowerCase(Locale.ROOT).equals("before");
    return new WatchedFiles(
        new WatchedFiles.Watcher() {
          @Override
          public void before(String operation, Path path) {
            if (operations.incrementAndGet() == nth && early) {
              Runtime.getRuntime().halt(KILLED);
            }
          }

          @Override
          public void after(String operation, Path path) {
            if (operations.get() == nth && !early) {
              Runtime.getRuntime().halt(KILLED);
            }
          }
        });
  }
}
