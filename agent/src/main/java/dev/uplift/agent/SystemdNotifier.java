package dev.uplift.agent;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.AgentState;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Notifies systemd while the agent works, so that an agent that hangs is restarted. Does nothing without systemd.
final class SystemdNotifier {
  private static final System.Logger LOG = System.getLogger(SystemdNotifier.class.getName());
  private static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(30);

  private final AgentState agentState;
  private final Duration watchdogInterval = watchdogInterval(System.getenv("WATCHDOG_USEC"));
  private final Duration maxInactivity;

  /// @param heartbeatInterval a process that has made no progress for three of these hangs
  SystemdNotifier(AgentState agentState, Duration heartbeatInterval) {
    this.agentState = agentState;
    this.maxInactivity = heartbeatInterval.multipliedBy(3).plus(DEFAULT_INTERVAL);
  }

  /// A third of the time after which systemd takes this process for hung.
  static Duration watchdogInterval(@Nullable String microseconds) {
    if (microseconds == null || !microseconds.matches("[0-9]{4,15}")) {
      return DEFAULT_INTERVAL;
    }
    return Duration.ofMillis(Long.parseLong(microseconds) / 3000);
  }

  void start() {
    @Nullable String socket = System.getenv("NOTIFY_SOCKET");
    if (socket != null && !socket.isEmpty()) {
      Thread.ofVirtual().name("init system").start(this::run);
    }
  }

  private void run() {
    try {
      notifySystemd("--ready");
      while (true) {
        Thread.sleep(watchdogInterval);
        if (System.nanoTime() - agentState.lastActivityNanos() < maxInactivity.toNanos()) {
          notifySystemd("WATCHDOG=1");
        } else {
          LOG.log(WARNING, "nothing has moved for {0} s", maxInactivity.toSeconds());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void notifySystemd(String word) throws InterruptedException {
    try {
      new ProcessBuilder("systemd-notify", word).inheritIO().start().waitFor();
    } catch (IOException e) {
      LOG.log(WARNING, "cannot notify systemd: {0}", e.toString());
    }
  }
}
