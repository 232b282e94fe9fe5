package dev.uplift.agent.driver.script;

import java.time.Duration;
import java.util.Locale;

/// The executables of a script package.
enum Verb {
  INSPECT(Duration.ofSeconds(10)),
  PREPARE(Duration.ofHours(6)),
  UPGRADE(Duration.ofHours(1)),
  COMMIT(Duration.ofMinutes(10)),
  ROLLBACK(Duration.ofHours(1)),
  HALT(Duration.ofMinutes(10)),
  RESUME(Duration.ofMinutes(10));

  private final Duration timeout;

  Verb(Duration timeout) {
    this.timeout = timeout;
  }

  /// Unless the host's settings or the server say another.
  Duration timeout() {
    return timeout;
  }

  /// Also the name of the executable.
  String scriptName() {
    return name().toLowerCase(Locale.ROOT);
  }
}
