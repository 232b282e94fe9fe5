package dev.uplift.temporaldev;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Where the programs of a stack are. Server programs are looked for when they are first needed,
/// and built where there are none.
final class Programs {
  private final Map<Tool, Path> found = new ConcurrentHashMap<>();
  private final Consumer<String> progress;
  private final Optional<String> agentClassPath;
  private final Optional<String> serverClassPath;
  private @Nullable AgentVersion agentVersion;

  Programs(
      Consumer<String> progress,
      Optional<String> agentClassPath,
      Optional<String> serverClassPath) {
    this.progress = progress;
    this.agentClassPath = agentClassPath;
    this.serverClassPath = serverClassPath;
  }

  Path natsServer() {
    return found.computeIfAbsent(Tool.NATS_SERVER, tool -> Tools.find(tool, progress));
  }

  Path temporal() {
    return found.computeIfAbsent(Tool.TEMPORAL, tool -> Tools.find(tool, progress));
  }

  /// What hosts have at first. The same in every call, for as long as the stack is open.
  synchronized AgentVersion agentVersion() {
    AgentVersion known = agentVersion;
    if (known == null) {
      known = AgentVersion.of(agent());
      agentVersion = known;
    }
    return known;
  }

  /// Of an agent that is not packaged, that of the sources.
  Path launcher() {
    return agentClassPath.isPresent()
        ? Home.find().resolve("agent/src/main/dist/launcher")
        : program("agent").resolve("launcher");
  }

  String agent() {
    return agentClassPath.orElseGet(() -> built("agent"));
  }

  String server() {
    return serverClassPath.orElseGet(() -> built("api"));
  }

  /// All the jars of a module's program, as the launcher of Java expands them.
  static String built(String module) {
    return program(module) + File.separator + "*";
  }

  private static Path program(String module) {
    Path program = Home.find().resolve(module).resolve("target").resolve("program");
    if (!Files.isDirectory(program)) {
      throw new StackFailure("%s is not built: run ./mvnw package".formatted(program));
    }
    return program;
  }

  /// A program on the Java that we run on.
  static List<String> java(List<String> options, String classPath, String main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(args);
    return command;
  }
}
