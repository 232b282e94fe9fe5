package dev.uplift.agent;

import static java.lang.System.Logger.Level.WARNING;

import dev.uplift.agent.driver.Standing;
import java.io.IOException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Tells systemd that the agent works, for as long as it does: an agent that hangs is started anew.
/// Elsewhere there is nobody to tell.
final class InitSystem {
  private static final System.Logger LOG = System.getLogger(InitSystem.class.getName());
  private static final Duration USUAL = Duration.ofSeconds(30);

  private final Standing standing;
  private final Duration betweenWords = betweenWords(System.getenv("WATCHDOG_USEC"));
  private final Duration longest;

  /// @param beat a process that has not come round for three of these hangs
  InitSystem(Standing standing, Duration beat) {
    this.standing = standing;
    this.longest = beat.multipliedBy(3).plus(USUAL);
  }

  /// A third of the time after which systemd takes this process for hung.
  static Duration betweenWords(@Nullable String microseconds) {
    if (microseconds == null || !microseconds.matches("[0-9]{4,15}")) {
      return USUAL;
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
      tell("--ready");
      while (true) {
        Thread.sleep(betweenWords);
        if (System.nanoTime() - standing.lastSign() < longest.toNanos()) {
          tell("WATCHDOG=1");
        } else {
          LOG.log(WARNING, "nothing has moved for {0} s", longest.toSeconds());
        }
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private static void tell(String word) throws InterruptedException {
    try {
      new ProcessBuilder("systemd-notify", word).inheritIO().start().waitFor();
    } catch (IOException e) {
      LOG.log(WARNING, "systemd cannot be told: {0}", e.toString());
    }
  }
}
