package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.driver.Driver;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.files.CrashSimulator;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.stream.Stream;

/// Agents that do nothing but one upgrade to 2.0, or the way back to 1.0, each on a host of its own, and may be told to
/// come to a stand in it: a program, so that it really dies when it is killed.
///
/// `HOSTS ADDRESS upgrade|rollback`, where HOSTS is the folder of the hosts; ends with 0 when all is done on all of
/// them.
final class BundleRunner {
  private static final int MAX_CONCURRENT = 8;

  private BundleRunner() {}

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().start(BundleRunner::exitWithParent);
    var working = new Semaphore(MAX_CONCURRENT);
    List<Future<Boolean>> all = new ArrayList<>();
    ExecutorService agents = Executors.newCachedThreadPool();
    try (Stream<Path> hosts = Files.list(Path.of(arguments[0]))) {
      for (Path host : hosts.toList()) {
        working.acquire();
        // A suspended one is replaced by the next: it never finishes.
        FileOps files = CrashSimulator.inFolder(host, working::release);
        all.add(
            agents.submit(() -> {
              boolean done = runStep(host, files, arguments[1], arguments[2]);
              working.release();
              return done;
            }));
      }
    }
    boolean done = true;
    for (Future<Boolean> each : all) {
      done &= each.get();
    }
    System.exit(done ? 0 : 1);
  }

  private static void exitWithParent() {
    try {
      long _ = System.in.transferTo(OutputStream.nullOutputStream());
      Runtime.getRuntime().halt(1);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns whether all commands were answered as done.
  static boolean runStep(Path folder, FileOps files, String address, String what) throws IOException {
    ShopHost host = new ShopHost(folder, files);
    ReleaseManifest release = ShopHost.release("2.0", Files.readAllBytes(folder.resolve("archive")));
    Driver driver = host.driver();
    if (what.equals("rollback")) {
      return isDone(driver.rollback(rollback(release)));
    }
    return isDone(driver.prepare(host.job("prepare-1", CommandAction.PREPARE, "2.0", release, address)))
        && isDone(driver.upgrade(host.job("upgrade-1", CommandAction.UPGRADE, "2.0", release, address)));
  }

  private static FakeJob rollback(ReleaseManifest release) {
    return TestJobs.job(
        "rollback-1",
        CommandAction.ROLLBACK,
        "1.0",
        release,
        _ -> {
          throw new IllegalStateException("nothing is to be fetched");
        });
  }

  private static boolean isDone(CommandResult commandResult) {
    if (!commandResult.equals(new CommandResult.Done())) {
      System.err.println(commandResult);
      return false;
    }
    return true;
  }
}
