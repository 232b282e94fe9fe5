package dev.uplift.agent.driver.agent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.files.ObservedFileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
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

  /// The interrupted operation, and the versions that a boot may then run.
  enum InterruptedStep {
    PREPARE("1.0", "1.0"),
    UPGRADE("1.0 2.0", "2.0"),
    UPGRADE_AND_ROLLBACK("1.0 2.0", "1.0"),
    COMMIT("2.0", "2.0"),
    ROLLBACK_FROM_TRIAL("1.0 2.0", "1.0");

    private final String boots;
    private final String goal;

    /// @param boots versions, separated by blanks
    /// @param goal version that the host comes to when the order is sent again
    InterruptedStep(String boots, String goal) {
      this.boots = boots;
      this.goal = goal;
    }

    List<String> boots() {
      return List.of(boots.split(" ", -1));
    }

    void before(AgentHostFolder host) throws Exception {
      if (this != PREPARE) {
        host.driver().prepare(host.job(CommandAction.PREPARE, "2.0"));
      }
      if (this == COMMIT || this == ROLLBACK_FROM_TRIAL) {
        host.driver().upgrade(host.job(CommandAction.UPGRADE, "2.0"));
        host.version = "2.0";
      }
    }

    /// The same order, for the agent that the boot has started.
    CommandResult repeat(AgentHostFolder host, AgentDriver driver) {
      return this == UPGRADE_AND_ROLLBACK
          ? driver.rollback(host.job(CommandAction.ROLLBACK, "1.0"))
          : perform(host, driver);
    }

    CommandResult perform(AgentHostFolder host, AgentDriver driver) {
      return switch (this) {
        case PREPARE -> driver.prepare(host.job(CommandAction.PREPARE, "2.0"));
        case UPGRADE -> driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));
        case UPGRADE_AND_ROLLBACK -> {
          driver.upgrade(host.job(CommandAction.UPGRADE, "2.0"));
          yield driver.rollback(host.job(CommandAction.ROLLBACK, "1.0"));
        }
        case COMMIT -> driver.commit(host.job(CommandAction.COMMIT, "2.0"));
        case ROLLBACK_FROM_TRIAL -> driver.rollback(host.job(CommandAction.ROLLBACK, "1.0"));
      };
    }
  }

  @ParameterizedTest
  @EnumSource
  void afterADeathAtAnyChangeTheHostBootsWithAWholeVersion(InterruptedStep interruptedStep) throws Exception {
    int points = 0;
    for (boolean before : List.of(true, false)) {
      boolean died = true;
      for (int change = 1; died; change++) {
        AgentHostFolder host = host(interruptedStep, change + "-" + before);
        died = diesAt(host, interruptedStep, change, before);
        points++;

        String booted = host.boot();
        assertThat(booted).as("%s %d %b", interruptedStep, change, before).isIn(interruptedStep.boots());
        assertThat(host.current()).isEqualTo(booted);
        assertThat(host.boot()).isEqualTo(booted);
        assertThat(Files.exists(host.file("versions/1.0/COMPLETE"))).isTrue();
        if (interruptedStep == InterruptedStep.UPGRADE && booted.equals("2.0")) {
          assertThat(host.text("trial")).contains("version=2.0");
        }
        assertDoneWhenItIsOrderedAgain(host, interruptedStep, booted);
      }
    }
    assertThat(points).isGreaterThan(4);
  }

  /// The one that runs does it, or makes way for the one that is wanted.
  private static void assertDoneWhenItIsOrderedAgain(
      AgentHostFolder host, InterruptedStep interruptedStep, String booted) throws Exception {
    host.version = booted;
    CommandResult commandResult = interruptedStep.repeat(host, host.driver());

    assertThat(commandResult)
        .as("%s again, by %s", interruptedStep, booted)
        .isEqualTo(
            booted.equals(interruptedStep.goal) ? new CommandResult.Done() : new CommandResult.HandoverRequired());
    assertThat(host.boot()).isEqualTo(interruptedStep.goal);
    assertThat(host.text("trial").isEmpty()).isEqualTo(interruptedStep != InterruptedStep.UPGRADE);
  }

  @ParameterizedTest
  @EnumSource
  void onAFullDiskTheAgentAnswersAndTheHostBootsWithAWholeVersion(InterruptedStep interruptedStep) throws Exception {
    boolean failed = true;
    for (int change = 1; failed; change++) {
      AgentHostFolder host = host(interruptedStep, "full-" + change);
      var diskFullFrom = new DiskFullFrom(change);
      FileOps files = new ObservedFileOps(diskFullFrom);

      CommandResult commandResult = interruptedStep.perform(host, host.driver(files));

      failed = diskFullFrom.changes.get() >= change;
      if (failed && commandResult instanceof CommandResult.Failed answer) {
        assertThat(answer.errorClass().wireName()).isIn("needs-person", "final");
      }
      assertThat(host.boot()).isIn(interruptedStep.boots());
      assertThat(Files.exists(host.file("versions/1.0/COMPLETE"))).isTrue();
    }
  }

  private AgentHostFolder host(InterruptedStep interruptedStep, String name) throws Exception {
    var host = new AgentHostFolder(Files.createDirectory(folder.resolve(name)));
    interruptedStep.before(host);
    return host;
  }

  /// Returns whether it was reached. A killed agent is suspended, because a catch block would continue.
  private static boolean diesAt(AgentHostFolder host, InterruptedStep interruptedStep, int change, boolean before)
      throws Exception {
    var freezeAtChange = new FreezeAtChange(change, before);
    AgentDriver driver = host.driver(new ObservedFileOps(freezeAtChange));
    Thread agent = Thread.ofVirtual().start(() -> interruptedStep.perform(host, driver));
    while (agent.isAlive() && !freezeAtChange.isDead) {
      agent.join(java.time.Duration.ofMillis(5));
    }
    return freezeAtChange.isDead;
  }

  private static final class FreezeAtChange implements ObservedFileOps.Observer {
    private final int change;
    private final boolean before;
    private final AtomicInteger changes = new AtomicInteger();
    private volatile boolean isDead;

    private FreezeAtChange(int change, boolean before) {
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

  /// Operations that need no disk space succeed.
  private static final class DiskFullFrom implements ObservedFileOps.Observer {
    private final int from;
    private final AtomicInteger changes = new AtomicInteger();

    private DiskFullFrom(int from) {
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
