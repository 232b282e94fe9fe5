package dev.uplift.agent.driver.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.WatchedFiles;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Result;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// The agent dies before and after each change of the disk, or the disk is full from there on.
final class AgentKilledTest {
  @TempDir private Path folder;

  /// What is broken off, and what a boot may then run.
  enum Work {
    PREPARE("1.0", "1.0"),
    UPGRADE("1.0 2.0", "2.0"),
    TAKE_BACK("1.0 2.0", "1.0"),
    COMMIT("2.0", "2.0"),
    GO_BACK("1.0 2.0", "1.0");

    private final String boots;
    private final String goal;

    /// @param boots versions, separated by blanks
    /// @param goal version that the host comes to when the order is sent again
    Work(String boots, String goal) {
      this.boots = boots;
      this.goal = goal;
    }

    List<String> boots() {
      return List.of(boots.split(" ", -1));
    }

    void before(OwnHost host) throws Exception {
      if (this != PREPARE) {
        host.driver().prepare(host.job(Action.PREPARE, "2.0"));
      }
      if (this == COMMIT || this == GO_BACK) {
        host.driver().upgrade(host.job(Action.UPGRADE, "2.0"));
        host.version = "2.0";
      }
    }

    /// The same order, for the agent that the boot has started.
    Result again(OwnHost host, AgentDriver driver) {
      return this == TAKE_BACK
          ? driver.rollback(host.job(Action.ROLLBACK, "1.0"))
          : work(host, driver);
    }

    Result work(OwnHost host, AgentDriver driver) {
      return switch (this) {
        case PREPARE -> driver.prepare(host.job(Action.PREPARE, "2.0"));
        case UPGRADE -> driver.upgrade(host.job(Action.UPGRADE, "2.0"));
        case TAKE_BACK -> {
          driver.upgrade(host.job(Action.UPGRADE, "2.0"));
          yield driver.rollback(host.job(Action.ROLLBACK, "1.0"));
        }
        case COMMIT -> driver.commit(host.job(Action.COMMIT, "2.0"));
        case GO_BACK -> driver.rollback(host.job(Action.ROLLBACK, "1.0"));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void afterADeathAtAnyChangeTheHostBootsWithAWholeVersion(Work work) throws Exception {
    int points = 0;
    for (boolean before : List.of(true, false)) {
      boolean died = true;
      for (int change = 1; died; change++) {
        OwnHost host = host(work, change + "-" + before);
        died = diesAt(host, work, change, before);
        points++;

        String booted = host.boot();
        assertThat(booted).as("%s %d %b", work, change, before).isIn(work.boots());
        assertThat(host.current()).isEqualTo(booted);
        assertThat(host.boot()).isEqualTo(booted);
        assertThat(Files.exists(host.file("versions/1.0/COMPLETE"))).isTrue();
        if (work == Work.UPGRADE && booted.equals("2.0")) {
          assertThat(host.text("trial")).contains("version=2.0");
        }
        assertDoneWhenItIsOrderedAgain(host, work, booted);
      }
    }
    assertThat(points).isGreaterThan(4);
  }

  /// The one that runs does it, or makes way for the one that is wanted.
  private static void assertDoneWhenItIsOrderedAgain(OwnHost host, Work work, String booted)
      throws Exception {
    host.version = booted;
    Result result = work.again(host, host.driver());

    assertThat(result)
        .as("%s again, by %s", work, booted)
        .isEqualTo(booted.equals(work.goal) ? new Result.Done() : new Result.HandoverRequired());
    assertThat(host.boot()).isEqualTo(work.goal);
    assertThat(host.text("trial").isEmpty()).isEqualTo(work != Work.UPGRADE);
  }

  @ParameterizedTest
  @EnumSource
  void onAFullDiskTheAgentAnswersAndTheHostBootsWithAWholeVersion(Work work) throws Exception {
    boolean failed = true;
    for (int change = 1; failed; change++) {
      OwnHost host = host(work, "full-" + change);
      var full = new Full(change);
      FileOps files = new WatchedFiles(full);

      Result result = work.work(host, host.driver(files));

      failed = full.changes.get() >= change;
      if (failed && result instanceof Result.Failed answer) {
        assertThat(answer.errorClass().word()).isIn("needs-person", "final");
      }
      assertThat(host.boot()).isIn(work.boots());
      assertThat(Files.exists(host.file("versions/1.0/COMPLETE"))).isTrue();
    }
  }

  private OwnHost host(Work work, String name) throws Exception {
    var host = new OwnHost(Files.createDirectory(folder.resolve(name)));
    work.before(host);
    return host;
  }

  /// Whether it came so far. Who dies stands still, for whatever is caught on the way would go on.
  private static boolean diesAt(OwnHost host, Work work, int change, boolean before)
      throws Exception {
    var death = new Death(change, before);
    AgentDriver driver = host.driver(new WatchedFiles(death));
    Thread agent = Thread.ofVirtual().start(() -> work.work(host, driver));
    while (agent.isAlive() && !death.isDead) {
      agent.join(java.time.Duration.ofMillis(5));
    }
    return death.isDead;
  }

  private static final class Death implements WatchedFiles.Watcher {
    private final int change;
    private final boolean before;
    private final AtomicInteger changes = new AtomicInteger();
    private volatile boolean isDead;

    private Death(int change, boolean before) {
      this.change = change;
      this.before = before;
    }

    @Override
    public void before(String operation, Path path) {
      if (isDead || (changes.incrementAndGet() == change && before)) {
        die();
      }
    }

    @Override
    public void after(String operation, Path path) {
      if (isDead || (changes.get() == change && !before)) {
        die();
      }
    }

    private void die() {
      isDead = true;
      while (true) {
        LockSupport.park(this);
        boolean _ = Thread.interrupted();
      }
    }
  }

  /// What takes no room goes well.
  private static final class Full implements WatchedFiles.Watcher {
    private final int from;
    private final AtomicInteger changes = new AtomicInteger();

    private Full(int from) {
      this.from = from;
    }

    @Override
    public void before(String operation, Path path) throws IOException {
      if (changes.incrementAndGet() >= from && !operation.equals("delete")) {
        throw new IOException(path + ": No space left on device");
      }
    }
  }
}
