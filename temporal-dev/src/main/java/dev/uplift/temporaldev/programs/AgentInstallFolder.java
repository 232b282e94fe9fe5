package dev.uplift.temporaldev.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.temporaldev.file.FileTree;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.apache.commons.io.file.PathUtils;
import org.apache.commons.io.function.Uncheck;

/// The folder where the agent is installed on a host, as `/opt/uplift-agent` on a device: the launcher, versions side
/// by side, runtimes, and a run folder that a boot empties.
public final class AgentInstallFolder {
  private static final String PROCESS_FILE_PREFIX = "agent.";

  private final Path root;
  private final Path runFolder;

  public AgentInstallFolder(Path root, Path runFolder) {
    this.root = root;
    this.runFolder = runFolder;
  }

  public Path root() {
    return root;
  }

  /// Installs a version, as a person would. It becomes the current version only if there was none; versions installed
  /// by upgrades stay. Repeatable.
  public void install(AgentVersion version, Path launcher) {
    Uncheck.run(() -> {
      Files.createDirectories(root.resolve("versions"));
      for (String script : List.of("launcher", "operator-commands")) {
        Path own = root.resolve(script);
        if (!PathUtils.fileContentEquals(launcher.resolveSibling(script), own)) {
          Files.copy(launcher.resolveSibling(script), own, StandardCopyOption.REPLACE_EXISTING);
        }
      }
      jdkRuntime().writeTo(root.resolve("runtimes").resolve(AgentVersion.RUNTIME));
      unpack(version);
      if (!Files.exists(root.resolve("current"), LinkOption.NOFOLLOW_LINKS)) {
        Files.createSymbolicLink(root.resolve("current"), Path.of("versions", version.name()));
      }
    });
  }

  private void unpack(AgentVersion version) throws IOException {
    Path folder = root.resolve("versions").resolve(version.name());
    Path manifest = folder.resolve("manifest");
    if (Files.exists(manifest) && Files.readString(manifest).equals(version.manifest())) {
      return;
    }
    if (Files.exists(folder)) {
      PathUtils.deleteDirectory(folder);
    }
    version.tree().writeTo(folder);
    Files.writeString(folder.resolve("COMPLETE"), version.completeMarker());
  }

  private static FileTree jdkRuntime() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    return new FileTree().addProgram("bin/java", "#!/bin/sh\nexec '" + java.replace("'", "'\\''") + "' \"$@\"\n");
  }

  public List<String> superviseCommand() {
    return List.of("/bin/sh", root.resolve("launcher").toString(), "supervise");
  }

  /// Returns the command line of the launcher.
  public List<String> launcherCommand(String... words) {
    List<String> command = new ArrayList<>(superviseCommand().subList(0, 2));
    command.addAll(List.of(words));
    return command;
  }

  public Map<String, String> environment(Path config, Path bootIdFile) {
    return Map.of(
        "UPLIFT_AGENT_CONFIG", config.toString(),
        "UPLIFT_AGENT_RUN", runFolder.toString(),
        "UPLIFT_AGENT_BOOT_ID", bootIdFile.toString());
  }

  /// Deletes the files that do not outlive a boot.
  public void clearRunFolder() {
    if (Files.exists(runFolder)) {
      Uncheck.run(() -> PathUtils.deleteDirectory(runFolder));
    }
  }

  /// Returns the running agents by version.
  ///
  /// @param isOurs false for another process that has reused the id of an agent
  public Map<String, ProcessHandle> runningAgents(Predicate<ProcessHandle> isOurs) {
    var agents = new TreeMap<String, ProcessHandle>();
    if (Files.isDirectory(runFolder)) {
      Uncheck.run(() -> {
        try (Stream<Path> files = Files.list(runFolder)) {
          for (Path file : files.filter(AgentInstallFolder::namesProcess).toList()) {
            process(file).filter(isOurs).ifPresent(each -> agents.put(version(file), each));
          }
        }
      });
    }
    return agents;
  }

  private static boolean namesProcess(Path file) {
    String name = file.getFileName().toString();
    return name.startsWith(PROCESS_FILE_PREFIX) && !name.endsWith(".new");
  }

  private static String version(Path file) {
    return file.getFileName().toString().substring(PROCESS_FILE_PREFIX.length());
  }

  /// Returns the process of a file, which may have been deleted meanwhile.
  private static Optional<ProcessHandle> process(Path file) throws IOException {
    try {
      String pid = Files.readString(file).split(" ", -1)[0];
      return pid.isEmpty() ? Optional.empty() : ProcessHandle.of(Long.parseLong(pid));
    } catch (NoSuchFileException _) {
      return Optional.empty();
    }
  }

  /// Returns whether this is a process of the launcher, or an agent that it has started or is starting.
  public boolean owns(ProcessHandle process) {
    Path command = Path.of("/proc", Long.toString(process.pid()), "cmdline");
    try {
      String words = new String(Files.readAllBytes(command), UTF_8);
      return words.contains(root.resolve("launcher").toString())
          || words.contains(root.resolve("versions").toString())
          || words.contains("jspawnhelper");
    } catch (IOException _) {
      // It has ended.
      return false;
    }
  }
}
