package dev.uplift.temporaldev.stack;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.function.Uncheck;

/// The power of a simulated machine.
///
/// The reboot command is a script: it creates the marker `rebooting`, kills everything that runs on the host, and
/// writes a new boot id. When the agent has ended and the marker exists, the host stays off for a while and is then
/// switched on, which completes whatever the script could not do.
final class HostPower {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(20);

  private final StackHost host;
  private final ProcessTag tag;
  private final Path rebootMarker;
  private Duration rebootDuration = Duration.ofMillis(500);
  private boolean returnsAfterReboot = true;
  private boolean isOff;
  private boolean isClosed;
  private boolean hasBooted;
  private List<String> bootCommand = List.of();

  HostPower(StackHost host, ProcessTag tag) {
    this.host = host;
    this.tag = tag;
    this.rebootMarker = host.folder().resolve("rebooting");
  }

  synchronized void bootCommand(List<String> command) {
    bootCommand = command;
  }

  synchronized void setRebootDuration(Duration duration) {
    rebootDuration = duration;
    returnsAfterReboot = true;
  }

  synchronized void stayOffAfterReboot() {
    returnsAfterReboot = false;
  }

  synchronized void close() {
    isClosed = true;
    notifyAll();
  }

  Path bootIdFile() {
    return host.folder().resolve("boot-id");
  }

  Path rebootScript() {
    return host.folder().resolve("reboot");
  }

  String bootId() {
    return PrivateFile.read(bootIdFile()).strip();
  }

  /// Prepares an agent that is started by hand. Boots the host unless it has booted before.
  void prepareManualStart() {
    PrivateFile.write(rebootScript(), rebootScriptText());
    if (!Files.exists(bootIdFile())) {
      boot();
    }
  }

  /// Prepares each start of the agent, under the lock of the host. Boots the host if a reboot was interrupted, and at
  /// the first start of a stack, because nothing outlives a stack.
  void prepareStart() {
    PrivateFile.write(rebootScript(), rebootScriptText());
    if (!hasBooted || Files.exists(rebootMarker)) {
      boot();
    }
    hasBooted = true;
  }

  /// Returns its settings in the agent's configuration.
  Map<String, Object> settings() {
    return Map.of(
        "boot_id_file", bootIdFile().toString(), "reboot_command", List.of("/bin/sh", rebootScript().toString()));
  }

  private String rebootScriptText() {
    return """
    # Simulates the reboot of this host: ends everything on it and writes a new boot id.
    # The stack notices that and starts the agent again.
    unset %1$s
    cd '%2$s' || exit 1
    : >rebooting
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
        .formatted(ProcessTag.VARIABLE, host.folder().toString().replace("'", "'\\''"), tag.value());
  }

  /// Watches for the end of the agent.
  void watch(Process agent) {
    Thread.ofPlatform().daemon().name("power of " + host.name()).start(() -> awaitExit(agent));
  }

  private void awaitExit(Process agent) {
    try {
      agent.waitFor();
      if (Files.exists(rebootMarker) && awaitRebootDuration()) {
        host.launchAfterReboot();
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Returns whether it is rebooting. Call it under the lock of the host, which may be on again.
  boolean isRebooting() {
    return Files.exists(rebootMarker) && mayPowerOn();
  }

  private synchronized boolean mayPowerOn() {
    return returnsAfterReboot && !isOff && !isClosed;
  }

  /// Waits for the duration of a reboot. Returns whether to switch it on then.
  private synchronized boolean awaitRebootDuration() throws InterruptedException {
    long until = System.nanoTime() + rebootDuration.toNanos();
    while (mayPowerOn()) {
      long left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left <= 0) {
        return true;
      }
      wait(left);
    }
    return false;
  }

  void powerOff() {
    setOff(true);
    Uncheck.run(() -> Files.write(rebootMarker, new byte[0]));
    tag.killAll();
  }

  void powerOn() {
    setOff(false);
    host.launch();
  }

  private synchronized void setOff(boolean off) {
    isOff = off;
    notifyAll();
  }

  private void boot() {
    tag.killAll();
    host.clearRunFolder();
    PrivateFile.write(bootIdFile(), UUID.randomUUID() + "\n");
    try {
      Files.deleteIfExists(rebootMarker);
      List<String> command = bootCommand();
      if (!command.isEmpty()) {
        var _ = Reaper.ofThisJvm().start(bootProcess(command), tag, tag);
      }
    } catch (IOException e) {
      throw new StackException("cannot boot " + host.name(), e);
    }
  }

  private synchronized List<String> bootCommand() {
    return bootCommand;
  }

  private ProcessBuilder bootProcess(List<String> command) {
    return new ProcessBuilder(command)
        .directory(host.folder().toFile())
        .redirectErrorStream(true)
        .redirectInput(new File("/dev/null"))
        .redirectOutput(ProcessBuilder.Redirect.appendTo(host.logFile().toFile()));
  }

  void awaitReboot(String bootIdBefore, Duration timeout) {
    var _ =
        new Poller<>(() -> missingForReboot(bootIdBefore), POLL_INTERVAL, timeout)
            .poll(Optional::isEmpty)
            .orElseThrow(missing ->
                new StackException(
                    "%s has not rebooted within %s: %s".formatted(host.name(), timeout, missing.orElseThrow())));
  }

  /// Returns why its reboot is not complete; empty: it is.
  private Optional<String> missingForReboot(String bootIdBefore) {
    if (bootId().equals(bootIdBefore)) {
      return Optional.of("its boot id is still " + bootIdBefore);
    }
    if (Files.exists(rebootMarker)) {
      return Optional.of("it is still off");
    }
    return host.isRunning() ? Optional.empty() : Optional.of("its launcher does not run");
  }
}
