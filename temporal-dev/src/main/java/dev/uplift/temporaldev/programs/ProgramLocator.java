package dev.uplift.temporaldev.programs;

import dev.uplift.temporaldev.process.StackException;
import java.io.File;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Locates the programs of a stack. Server binaries are located at the first use, and built if missing.
public final class ProgramLocator {
  private final Map<ServerBinary, Path> serverBinaries = new ConcurrentHashMap<>();
  private final Consumer<String> progress;
  private final Optional<String> agentClassPath;
  private final Optional<String> serverClassPath;
  private @Nullable AgentVersion agentVersion;

  public ProgramLocator(Consumer<String> progress, Optional<String> agentClassPath, Optional<String> serverClassPath) {
    this.progress = progress;
    this.agentClassPath = agentClassPath;
    this.serverClassPath = serverClassPath;
  }

  public Path natsServer() {
    return find(ServerBinary.NATS_SERVER);
  }

  /// Returns Temporal's command line, which has the dev server.
  public Path temporal() {
    return find(ServerBinary.TEMPORAL);
  }

  /// Returns Temporal's server for production.
  public Path temporalServer() {
    return find(ServerBinary.TEMPORAL_SERVER);
  }

  public Path temporalSqlTool() {
    return find(ServerBinary.TEMPORAL_SQL_TOOL);
  }

  public Path temporalUiServer() {
    return find(ServerBinary.TEMPORAL_UI_SERVER);
  }

  public Path caddy() {
    return find(ServerBinary.CADDY);
  }

  private Path find(ServerBinary wanted) {
    return serverBinaries.computeIfAbsent(wanted, serverBinary -> ServerBinaries.find(serverBinary, progress));
  }

  /// Returns the folder of PostgreSQL's programs.
  public Path postgres() {
    return PostgresPrograms.find();
  }

  /// Returns the first agent version of hosts, always the same.
  public synchronized AgentVersion agentVersion() {
    AgentVersion known = agentVersion;
    if (known == null) {
      known = AgentVersion.of(agent());
      agentVersion = known;
    }
    return known;
  }

  /// Returns the launcher; for an agent that is not packaged, that of the sources.
  public Path launcher() {
    return agentClassPath.isPresent()
        ? UpliftHome.find().resolve("agent/src/main/dist/launcher")
        : programFolder("agent").resolve("launcher");
  }

  public String agent() {
    return agentClassPath.orElseGet(() -> classPathOf("agent"));
  }

  public String server() {
    return serverClassPath.orElseGet(ProgramLocator::serverClassPath);
  }

  /// Returns the class path of the server of the current build.
  public static String serverClassPath() {
    return classPathOf("api");
  }

  /// Returns the class path of the classes of this module.
  public static String ownClassPath() {
    return Path.of(URI.create(ProgramLocator.class.getProtectionDomain().getCodeSource().getLocation().toString()))
        .toString();
  }

  /// Returns the class path of a module's program, with a wildcard.
  static String classPathOf(String module) {
    return programFolder(module) + File.separator + "*";
  }

  private static Path programFolder(String module) {
    Path program = UpliftHome.find().resolve(module).resolve("target").resolve("program");
    if (!Files.isDirectory(program)) {
      throw new StackException("%s is not built: run ./mvnw package".formatted(program));
    }
    return program;
  }

  /// Returns the command line of a Java program on the Java of this JVM.
  public static List<String> javaCommand(List<String> options, String classPath, String main, List<String> args) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(args);
    return command;
  }
}
