package dev.uplift.temporaldev;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// The power of a played host.
///
/// The reboot command is a script: it leaves a mark, `going-down`, kills all that runs on the host,
/// and writes a new boot id. Who sees the agent gone and the mark there lets the host be away for a
/// while and switches it on again, which makes good whatever the script could not do any more.
final class Power {
  private static final long POLL_MS = 20;

  private final Host host;
  private final Tag tag;
  private final Path goingDown;
  private Duration away = Duration.ofMillis(500);
  private boolean returns = true;
  private boolean isOff;
  private boolean isClosed;
  private boolean hasBooted;
  private List<String> atBoot = List.of();

  Power(Host host, Tag tag) {
    this.host = host;
    this.tag = tag;
    this.goingDown = host.folder().resolve("going-down");
  }

  synchronized void atBoot(List<String> command) {
    atBoot = command;
  }

  synchronized void staysAway(Duration duration) {
    away = duration;
    returns = true;
  }

  synchronized void neverReturns() {
    returns = false;
  }

  synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  Path bootIdFile() {
    return host.folder().resolve("boot-id");
  }

  Path script() {
    return host.folder().resolve("reboot");
  }

  String bootId() {
    return PrivateFile.read(bootIdFile()).strip();
  }

  /// What an agent that is started by hand needs. Its host boots when there was none before.
  void prepare() {
    PrivateFile.write(script(), scriptText());
    if (!Files.exists(bootIdFile())) {
      boot();
    }
  }

  /// Before each start of the agent, under the lock of the host. A reboot that was begun has
  /// happened, and so has one when the stack was opened anew: nothing outlives a stack.
  void prepareStart() {
    PrivateFile.write(script(), scriptText());
    if (!hasBooted || Files.exists(goingDown)) {
      boot();
    }
    hasBooted = true;
  }

  /// What the agent's configuration says of it.
  Map<String, Object> settings() {
    return Map.of(
        "boot_id_file",
        bootIdFile().toString(),
        "reboot_command",
        List.of("/bin/sh", script().toString()));
  }

  private String scriptText() {
    return """
    # Plays the reboot of this host: all that runs on it is gone, and it has another boot id.
    # The stack sees that, and starts the agent again.
    unset %1$s
    cd '%2$s' || exit 1
    : >going-down
    agents=$(grep -l -s -F -e '%2$s/agent.json' /proc/[0-9]*/cmdline)
    for file in $(grep -l -s -F -e '%1$s=%3$s' /proc/[0-9]*/environ) \\
      $(grep -l -s -F -e dev.uplift.agent /dev/null $agents); do
      pid=${file#/proc/}
      pid=${pid%%/*}
      [ "$pid" = $$ ] || kill -9 "$pid" 2>/dev/null
    done
    cat /proc/sys/kernel/random/uuid >boot-id.next
    mv boot-id.next boot-id
    """
        .formatted(Tag.VARIABLE, host.folder().toString().replace("'", "'\\''"), tag.value());
  }

  /// Takes notice when the agent goes.
  void watch(Process agent) {
    Thread.ofVirtual().name("power of " + host.name()).start(() -> await(agent));
  }

  private void await(Process agent) {
    try {
      agent.waitFor();
      if (Files.exists(goingDown) && comesBack()) {
        host.launchAfterReboot();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Under the lock of the host. Somebody else may have switched it on meanwhile.
  boolean isGoingDown() {
    return Files.exists(goingDown) && mayReturn();
  }

  private synchronized boolean mayReturn() {
    return returns && !isOff && !isClosed;
  }

  /// Whether it is to come back, after a while.
  private synchronized boolean comesBack() throws InterruptedException {
    long until = System.nanoTime() + away.toNanos();
    while (mayReturn()) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        return true;
      }
      wait(left);
    }
    return false;
  }

  void off() {
    switchTo(true);
    try {
      Files.write(goingDown, new byte[0]);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    tag.endAll();
  }

  void on() {
    switchTo(false);
    host.launch();
  }

  private synchronized void switchTo(boolean off) {
    isOff = off;
    notifyAll();
  }

  private void boot() {
    tag.endAll();
    host.emptyRun();
    PrivateFile.write(bootIdFile(), UUID.randomUUID() + "\n");
    try {
      Files.deleteIfExists(goingDown);
      List<String> command = atBoot();
      if (!command.isEmpty()) {
        var _ = Reaper.ofThisJvm().start(bootProcess(command), tag, tag);
      }
    } catch (IOException e) {
      throw new StackFailure("cannot boot " + host.name(), e);
    }
  }

  private synchronized List<String> atBoot() {
    return atBoot;
  }

  private ProcessBuilder bootProcess(List<String> command) {
    return new ProcessBuilder(command)
        .directory(host.folder().toFile())
        .redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(host.log().toFile()));
  }

  void awaitReturn(String bootIdBefore, Duration within) {
    long until = System.nanoTime() + within.toNanos();
    while (bootId().equals(bootIdBefore) || Files.exists(goingDown) || !host.isRunning()) {
      if (System.nanoTime() > until) {
        throw new StackFailure("%s has not rebooted within %s".formatted(host.name(), within));
      }
      pause();
    }
  }

  private void pause() {
    try {
      TimeUnit.MILLISECONDS.sleep(POLL_MS);
    } catch (InterruptedException e) {
      throw StackFailure.interrupted("awaiting the reboot of " + host.name(), e);
    }
  }
}
