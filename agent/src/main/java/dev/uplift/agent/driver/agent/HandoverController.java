package dev.uplift.agent.driver.agent;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.AgentHandover;
import dev.uplift.agent.driver.StepFailed;
import dev.uplift.agent.driver.agent.AgentInstallation.RolledBack;
import dev.uplift.protocol.Heartbeat.State;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The time in which another agent is alive beside this one, which works. It ends with the `stop` of the server, or
/// with the other one's: when it does not show itself while the server can be reached from here, or the launcher has
/// given it up.
final class HandoverController implements AgentHandover {
  private static final System.Logger LOG = System.getLogger(HandoverController.class.getName());
  private static final Duration CHECK_INTERVAL = Duration.ofMillis(500);
  private static final int EXIT_RESTART = 10;

  private final RunningAgent runningAgent;
  private final String ownVersion;
  private final AgentInstallation installation;
  private final LauncherClient launcher;
  private final Duration standbyTimeout;

  /// The version that is to take over; none where this agent is alone.
  private @Nullable String successor;

  private boolean released;

  /// The successor's latest sign, or the one that was there before it.
  private String lastSign = "";

  private boolean isSeen;
  private Duration silence = Duration.ZERO;

  /// @param ownVersion version that this process was started as
  /// @param standbyTimeout for how long the other one may not be heard of while the server can be reached
  HandoverController(
      RunningAgent runningAgent,
      String ownVersion,
      AgentInstallation installation,
      LauncherClient launcher,
      Duration standbyTimeout) {
    this.runningAgent = runningAgent;
    this.ownVersion = ownVersion;
    this.installation = installation;
    this.launcher = launcher;
    this.standbyTimeout = standbyTimeout;
  }

  @Override
  public synchronized boolean isInProgress() {
    return successor != null;
  }

  synchronized boolean isInProgressTo(String version) {
    return version.equals(successor);
  }

  /// The version that `current` leads to is started and watched.
  void start(String version) throws StepFailed, IOException, InterruptedException {
    synchronized (this) {
      successor = version;
      released = false;
      isSeen = false;
      lastSign = installation.standbySign();
      silence = Duration.ZERO;
    }
    runningAgent.agentState().setState(State.CUTOVER_READY);
    try {
      launcher.start(version);
    } catch (StepFailed e) {
      abort("the launcher does not start it");
      throw e;
    }
    Thread.ofVirtual().name("handover to " + version).start(this::watchSuccessor);
  }

  @Override
  public synchronized void confirmSuccessor() throws StepFailed {
    String wanted = successor;
    if (wanted == null) {
      AgentHandover.NONE.confirmSuccessor();
      return;
    }
    try {
      recordSign(installation.standbySign(), wanted);
    } catch (IOException e) {
      throw StepFailed.retryable("successor-not-ready", e.toString());
    }
    if (!isSeen) {
      throw StepFailed.retryable("successor-not-ready", wanted + " has not found the server yet");
    }
    // It may hang by now, and then no agent would work.
    if (silence.multipliedBy(2).compareTo(standbyTimeout) > 0) {
      throw StepFailed.retryable(
          "successor-not-ready", "%s has not been heard of for %d s".formatted(wanted, silence.toSeconds()));
    }
    released = true;
  }

  @Override
  public void exitProcess() {
    exit(0);
  }

  /// The launcher starts what `current` leads to when this process has ended.
  void exitForRestart() {
    exit(EXIT_RESTART);
  }

  private void exit(int code) {
    runningAgent.agentState().setState(State.STOPPING);
    RunningAgent.exit(code);
  }

  private void watchSuccessor() {
    try {
      while (isWatched()) {
        Thread.sleep(CHECK_INTERVAL);
        checkSuccessor();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized boolean isWatched() {
    return successor != null && !released;
  }

  private void checkSuccessor() throws InterruptedException {
    try {
      String wanted = wanted();
      if (wanted.isEmpty()) {
        return;
      }
      if (!installation.versions().current().equals(wanted)) {
        finishAborted(
            installation
                .rolledBack()
                .filter(it -> it.version().equals(wanted))
                .map(RolledBack::reason)
                .orElse("the link was changed from outside"));
      } else if (isSilentTooLong(installation.standbySign(), wanted)) {
        abort("no heartbeat of it within %d s".formatted(standbyTimeout.toSeconds()));
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
    if (!recordSign(found, wanted) && runningAgent.connected().getAsBoolean()) {
      silence = silence.plus(CHECK_INTERVAL);
    }
    return silence.compareTo(standbyTimeout) > 0;
  }

  private synchronized boolean recordSign(String found, String wanted) {
    if (!AgentInstallation.isSignFrom(found, wanted) || found.equals(lastSign)) {
      return false;
    }
    lastSign = found;
    isSeen = true;
    silence = Duration.ZERO;
    return true;
  }

  /// This agent continues as if nothing had happened. Where the disk does not take it, the next look tries again.
  void abort(String reason) throws IOException, InterruptedException {
    String left;
    synchronized (this) {
      if (successor == null || released) {
        return;
      }
      left = successor;
      installation.rollBackTo(ownVersion, new RolledBack(installation.commandOfTrial(), left, reason));
    }
    try {
      launcher.stop(left);
    } catch (StepFailed e) {
      LOG.log(WARNING, "{0} may still be alive, and waits: {1}", left, e.getMessage());
    }
    finishAborted(reason);
  }

  private void finishAborted(String reason) {
    String left;
    synchronized (this) {
      left = String.valueOf(successor);
      successor = null;
    }
    LOG.log(INFO, "{0} does not take over: {1}", left, reason);
    runningAgent.agentState().setUpgradeError(left + ": " + reason);
    runningAgent.agentState().setState(State.RUNNING);
  }
}
