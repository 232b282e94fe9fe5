package dev.uplift.agent;

import dev.uplift.agent.files.FileOps;
import dev.uplift.agent.journal.OwnerHolds;
import dev.uplift.protocol.FieldLimits;
import dev.uplift.protocol.PackageHold;
import dev.uplift.protocol.json.MalformedMessage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The command `hold`: the owner of the host holds a package, ends a hold, or lists what is held. It talks to no
/// server; the agent tells it with its next heartbeat.
final class HoldCommand {
  static final String USAGE = "hold [PACKAGE --reason TEXT [--until TIME] | PACKAGE --end] [--config FILE]";

  private static final Path DEFAULT_CONFIG = Path.of("/etc/uplift-agent/agent.json");
  private static final int USAGE_EXIT_CODE = 2;
  private static final int FAILED = 1;

  private String packageName = "";
  private String reason = "";
  private Optional<Instant> until = Optional.empty();
  private boolean isEnd;
  private Path configuration = DEFAULT_CONFIG;

  private HoldCommand() {}

  static boolean matches(List<String> words) {
    return !words.isEmpty() && words.getFirst().equals("hold");
  }

  /// The code that the process is to end with.
  static int run(List<String> words) throws IOException {
    try {
      HoldCommand command = new HoldCommand();
      command.parse(new ArrayList<>(words.subList(1, words.size())));
      return command.run();
    } catch (MalformedMessage e) {
      System.err.println(e.getMessage());
      System.err.println("usage: agent " + USAGE);
      return USAGE_EXIT_CODE;
    }
  }

  private void parse(List<String> words) {
    while (!words.isEmpty()) {
      String word = words.removeFirst();
      switch (word) {
        case "--end" -> isEnd = true;
        case "--reason" -> reason = value(word, words);
        case "--until" -> until = Optional.of(time(value(word, words)));
        case "--config" -> configuration = Path.of(value(word, words));
        default -> {
          FieldLimits.require(packageName.isEmpty() && !word.startsWith("-"), word, "one PACKAGE and known options");
          FieldLimits.requirePackageName("PACKAGE", word);
          packageName = word;
        }
      }
    }
    boolean hasOptions = isEnd || !reason.isEmpty() || until.isPresent();
    FieldLimits.require(!packageName.isEmpty() || !hasOptions, "PACKAGE", "the name of a package");
    FieldLimits.require(!isEnd || (reason.isEmpty() && until.isEmpty()), "--end", "no other option with it");
    FieldLimits.require(
        packageName.isEmpty() || isEnd || !reason.isEmpty(), "--reason", "why the package is held, or --end");
  }

  private static String value(String option, List<String> words) {
    FieldLimits.require(!words.isEmpty(), option, "a value");
    return words.removeFirst();
  }

  private static Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException _) {
      throw new MalformedMessage("--until: expected a time such as 2026-12-24T18:00:00Z, found " + text);
    }
  }

  private int run() throws IOException {
    AgentConfig config = AgentConfig.read(configuration);
    FileOps files = FileOps.onDisk();
    files.createFolders(config.stateFolder());
    OwnerHolds holds = OwnerHolds.inFolder(files, config.stateFolder());
    if (packageName.isEmpty()) {
      holds.read().forEach((name, hold) -> System.out.println(hold.describe(name)));
      return 0;
    }
    if (isEnd) {
      boolean wasHeld = holds.end(packageName);
      (wasHeld ? System.out : System.err).println(packageName + (wasHeld ? " is held no more" : " is not held"));
      return wasHeld ? 0 : FAILED;
    }
    if (!config.packages().containsKey(packageName)) {
      throw new MalformedMessage("PACKAGE: this host has no package " + packageName);
    }
    var hold = new PackageHold(reason, user(), Instant.now(), until);
    holds.set(packageName, hold);
    System.out.println(hold.describe(packageName));
    return 0;
  }

  /// The person behind `sudo`, if there is one.
  private static String user() {
    @Nullable String behind = System.getenv("SUDO_USER");
    String name = behind == null || behind.isEmpty() ? System.getProperty("user.name", "") : behind;
    return name.substring(0, Math.min(name.length(), 64));
  }
}
