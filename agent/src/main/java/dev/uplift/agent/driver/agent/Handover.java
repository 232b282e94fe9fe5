package dev.uplift.agent.driver.agent;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.Succession;
import dev.uplift.agent.driver.agent.Installation.Reverted;
import dev.uplift.protocol.Heartbeat.State;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The time in which another agent is alive beside this one, which works. It ends with the `stop`
/// of the server, or with the other one's: when it does not show itself while the server can be
/// reached from here, or the launcher has given it up.
final class Handover implements Succession {
  private static final System.Logger LOG = System.getLogger(Handover.class.getName());
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final int RESTART = 10;

  private final Self self;
  private final String own;
  private final Installation installation;
  private final Launcher launcher;
  private final Duration patience;

  /// The version that is to take over; none where this agent is alone.
  private @Nullable String successor;

  private boolean released;

  /// What it has said last, or who stood by before it.
  private String sign = "";

  private boolean isSeen;
  private Duration silent = Duration.ZERO;

  /// @param own version that this process was started as
  /// @param patience for how long the other one may not be heard of while the server can be reached
  Handover(Self self, String own, Installation installation, Launcher launcher, Duration patience) {
    this.self = self;
    this.own = own;
    this.installation = installation;
    this.launcher = launcher;
    this.patience = patience;
  }

  @Override
  public synchronized boolean isUnderWay() {
    return successor != null;
  }

  synchronized boolean isUnderWayTo(String version) {
    return version.equals(successor);
  }

  /// The version that `current` leads to is started and watched.
  void begin(String version) throws StepFailed, IOException, InterruptedException {
    synchronized (this) {
      successor = version;
      released = false;
      isSeen = false;
      sign = installation.sign();
      silent = Duration.ZERO;
    }
    self.standing().become(State.CUTOVER_READY);
    try {
      launcher.begin(version);
    } catch (StepFailed e) {
      takeBack("the launcher does not start it");
      throw e;
    }
    Thread.ofVirtual().name("handover to " + version).start(this::watch);
  }

  @Override
  public synchronized void release() throws StepFailed {
    String wanted = successor;
    if (wanted == null) {
      Succession.NONE.release();
      return;
    }
    try {
      take(installation.sign(), wanted);
    } catch (IOException e) {
      throw StepFailed.retryable("successor-not-ready", e.toString());
    }
    if (!isSeen) {
      throw StepFailed.retryable("successor-not-ready", wanted + " has not found the server yet");
    }
    // It may hang by now, and nobody would work then.
    if (silent.multipliedBy(2).compareTo(patience) > 0) {
      throw StepFailed.retryable(
          "successor-not-ready",
          "%s has not been heard of for %d s".formatted(wanted, silent.toSeconds()));
    }
    released = true;
  }

  @Override
  public void leave() {
    end(0);
  }

  /// The launcher starts what `current` leads to when this process has ended.
  void makeWay() {
    end(RESTART);
  }

  private void end(int code) {
    self.standing().become(State.STOPPING);
    // Not by this thread: it is one of those that are waited for.
    Thread.ofPlatform().name("end").start(() -> System.exit(code));
  }

  private void watch() {
    try {
      while (isWatched()) {
        Thread.sleep(LOOK);
        look();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isWatched() {
    return successor != null && !released;
  }

  private void look() throws InterruptedException {
    try {
      String wanted = wanted();
      if (wanted.isEmpty()) {
        return;
      }
      if (!installation.versions().current().equals(wanted)) {
        over(
            installation
                .reverted()
                .filter(it -> it.version().equals(wanted))
                .map(Reverted::reason)
                .orElse("somebody has put the link back"));
      } else if (isSilentTooLong(installation.sign(), wanted)) {
        takeBack("no heartbeat of it within %d s".formatted(patience.toSeconds()));
      }
    } catch (IOException e) {
      LOG.log(WARNING, "cannot look after the next agent now: {0}", e.toString());
    }
  }

  private synchronized String wanted() {
    return successor == null || released ? "" : successor;
  }

  /// Its fault only while this one is connected itself.
  private synchronized boolean isSilentTooLong(String found, String wanted) {
    if (!take(found, wanted) && self.connected().getAsBoolean()) {
      silent = silent.plus(LOOK);
    }
    return silent.compareTo(patience) > 0;
  }

  private synchronized boolean take(String found, String wanted) {
    if (!Installation.isSignOf(found, wanted) || found.equals(sign)) {
      return false;
    }
    sign = found;
    isSeen = true;
    silent = Duration.ZERO;
    return true;
  }

  /// This agent goes on as if nothing had been. Where the disk does not take it, the next look
  /// tries again.
  void takeBack(String reason) throws IOException, InterruptedException {
    String left;
    synchronized (this) {
      if (successor == null || released) {
        return;
      }
      left = successor;
      installation.turnBack(own, new Reverted(installation.commandOfTrial(), left, reason));
    }
    try {
      launcher.end(left);
    } catch (StepFailed e) {
      LOG.log(WARNING, "{0} may still be alive, and waits: {1}", left, e.getMessage());
    }
    over(reason);
  }

  private void over(String reason) {
    String left;
    synchronized (this) {
      left = String.valueOf(successor);
      successor = null;
    }
    LOG.log(INFO, "{0} does not take over: {1}", left, reason);
    self.standing().failed(left + ": " + reason);
    self.standing().become(State.RUNNING);
  }
}
