package dev.uplift.temporaldev.process;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/// A tag in the environment of processes, inherited by all their descendants, so that detached processes are found as
/// well. Ends with a dot; a tag covers all tags that begin with it.
public record ProcessTag(String value) {
  public static final String VARIABLE = "UPLIFT_STACK";
  private static final Duration KILL_TIMEOUT = Duration.ofSeconds(20);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(10);

  /// Creates a unique tag.
  public static ProcessTag random() {
    byte[] bytes = new byte[6];
    new SecureRandom().nextBytes(bytes);
    return new ProcessTag(HexFormat.of().formatHex(bytes) + ".");
  }

  public ProcessTag append(String name) {
    return new ProcessTag(value + name + ".");
  }

  void addTo(Map<String, String> environment) {
    environment.put(VARIABLE, value);
  }

  /// Kills all tagged processes until none is left.
  public void killAll() {
    killAll(_ -> true);
  }

  /// Kills all matching tagged processes until none is left.
  public void killAll(Predicate<ProcessHandle> filter) {
    var _ =
        new Poller<>(() -> killOnce(filter), POLL_INTERVAL, KILL_TIMEOUT)
            .poll(List::isEmpty)
            .orElseThrow(left -> new StackException("cannot end the processes " + left));
  }

  /// Returns those that were there to be killed.
  private List<ProcessHandle> killOnce(Predicate<ProcessHandle> filter) {
    List<ProcessHandle> found = processes().stream().filter(filter).toList();
    found.forEach(ProcessHandle::destroyForcibly);
    return found;
  }

  /// Kills one process and blocks until it has ended.
  public static void kill(ProcessHandle process) {
    process.destroyForcibly();
    process.onExit().join();
  }

  /// Returns the running processes, without zombies.
  public List<ProcessHandle> processes() {
    List<ProcessHandle> found = new ArrayList<>();
    try (DirectoryStream<Path> all = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
      for (Path process : all) {
        if (isCarriedBy(process)) {
          ProcessHandle.of(Long.parseLong(process.getFileName().toString())).ifPresent(found::add);
        }
      }
    } catch (IOException e) {
      throw new StackException("cannot read /proc", e);
    }
    return found;
  }

  public boolean isCarriedBy(ProcessHandle process) {
    return isCarriedBy(Path.of("/proc", Long.toString(process.pid())));
  }

  private boolean isCarriedBy(Path process) {
    return environment(process)
        .filter(variables -> ("\0" + variables).contains("\0" + VARIABLE + "=" + value))
        .isPresent();
  }

  private static Optional<String> environment(Path process) {
    try {
      return Optional.of(Files.readString(process.resolve("environ"), ISO_8859_1));
    } catch (IOException _) {
      // It has ended, or belongs to another user.
      return Optional.empty();
    }
  }
}
