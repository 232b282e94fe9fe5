package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.Reaper;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.programs.AgentVersion;
import dev.uplift.temporaldev.programs.ProgramLocator;
import dev.uplift.temporaldev.secrets.StackSecrets;
import dev.uplift.temporaldev.secrets.StackTokens;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.commons.io.file.PathUtils;
import org.apache.commons.io.function.Uncheck;

/// All of Uplift on this machine, as processes, in one folder: nats-server, Temporal, Uplift
/// servers, and hosts with their agents.
///
///     try (Stack stack = Stack.in(folder).open()) {
///       stack.start();
///       stack.host("acme", "left").withPackage("shopd", "bundle", Map.of()).start();
///       stack.nats().kill();
///       stack.nats().start();
///     }
///
/// Opening starts nothing. Each part can be started, stopped and killed alone, in any order, and
/// keeps its folder, port, keys and passwords, also if the stack is closed and opened again.
/// Closing ends all parts and everything that they have started; so does the [Reaper] if this JVM
/// is killed. Folder, ports and processes belong to one stack at a time.
public final class Stack implements AutoCloseable {
  private final LockedFolder folder;
  private final boolean isTemporary;
  private final StackContext context;
  private final StackTokens tokens;
  private final ProcessTag tag;
  private final NatsServer nats;
  private final TemporalServer temporal;
  private final Map<String, UpliftServer> servers = new LinkedHashMap<>();
  private final Map<String, StackHost> hosts = new LinkedHashMap<>();
  private final Map<String, StackProgram> programs = new LinkedHashMap<>();
  private final Thread shutdownHook = new Thread(this::close, "stack shutdown");
  private boolean isClosed;

  Stack(StackBuilder stackBuilder, LockedFolder folder) {
    this.folder = folder;
    isTemporary = stackBuilder.isTemporary();
    ProcessTag everyRun = folder.tag();
    // Left by an earlier run whose JVM and reaper were killed together.
    everyRun.killAll();
    tag = everyRun.append(Long.toHexString(System.nanoTime()));
    var stackSecrets = new StackSecrets(folder.resolve("secrets"));
    context =
        new StackContext(
            new PortAllocator(folder.resolve("ports")),
            stackSecrets,
            stackBuilder.programs(),
            stackBuilder.usesTls(),
            stackBuilder.runner());
    tokens = new StackTokens(folder.resolve("tokens"), stackSecrets.tokenSecretFile());
    nats = new NatsServer(processContext("nats", "nats"), context);
    temporal = new TemporalServer(processContext("temporal", "temporal"), context, stackBuilder.isTemporalInMemory());
    Runtime.getRuntime().addShutdownHook(shutdownHook);
  }

  /// Prepares a stack in a permanent folder, which is created if missing.
  public static StackBuilder in(Path folder) {
    return new StackBuilder(folder, false);
  }

  /// Prepares a stack in a new folder that is removed at its end.
  public static StackBuilder temporary() {
    return new StackBuilder(Reaper.ofThisJvm().temporaryFolder("uplift-"), true);
  }

  private StackProcess.ProcessContext processContext(String name, String path) {
    return new StackProcess.ProcessContext(name, folder.resolve(path), tag.append(path.replace('/', '-')), tag);
  }

  /// Starts nats-server, Temporal and a server, and blocks until all of them are ready.
  public void start() {
    nats.launch();
    temporal.launch();
    nats.awaitReady();
    temporal.awaitReady();
    server().start();
  }

  public Path folder() {
    return folder.path();
  }

  public NatsServer nats() {
    return nats;
  }

  public TemporalServer temporal() {
    return temporal;
  }

  public UpliftServer server() {
    return server("server");
  }

  /// Returns an additional server with its own port, folder and, by default, database.
  public synchronized UpliftServer server(String name) {
    return servers.computeIfAbsent(name, key -> new UpliftServer(processContext(key, key), context, nats, temporal));
  }

  /// Returns the host of that name; a new one has no packages and does not run.
  public synchronized StackHost host(String tenant, String host) {
    if (!tenant.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
      throw new IllegalArgumentException("invalid tenant name: " + tenant);
    }
    if (!host.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,62}")) {
      throw new IllegalArgumentException("invalid host name: " + host);
    }
    return hosts.computeIfAbsent(
        tenant + "/" + host,
        key -> new StackHost(processContext("agent " + key, "hosts/" + key), context, nats, tenant, host));
  }

  /// Returns all hosts in the order of their creation.
  public synchronized List<StackHost> hosts() {
    return List.copyOf(hosts.values());
  }

  /// Returns a process of any program. The same name returns the same process, whatever the command.
  public synchronized StackProgram program(String name, List<String> command) {
    return programs.computeIfAbsent(name, key -> new StackProgram(processContext(key, key), command));
  }

  /// Returns a process that simulates many hosts.
  public StackProgram simulator(List<String> arguments) {
    return simulator("simulator", arguments);
  }

  /// Returns one of several such processes by its name, see [#program].
  public StackProgram simulator(String name, List<String> arguments) {
    List<String> java = new ArrayList<>(processContext(name, name).javaOptions());
    java.add("-XX:+UseSerialGC");
    List<String> all = new ArrayList<>(arguments);
    if (context.usesTls()) {
      all.addAll(List.of("--ca", context.secrets().certificates().caCertificate().toString()));
    }
    return program(
        name,
        ProgramLocator.javaCommand(java, context.programs().agent(), "dev.uplift.agent.simulator.Simulator", all));
  }

  /// Returns a process that runs workflows which only wait, see `BareWorkflows`.
  public StackProgram bareWorkflows(String name, List<String> arguments) {
    List<String> java = new ArrayList<>(processContext(name, name).javaOptions());
    java.add("-XX:+UseSerialGC");
    String classPath = context.programs().server() + File.pathSeparator + ProgramLocator.ownClassPath();
    return program(
        name, ProgramLocator.javaCommand(java, classPath, "dev.uplift.temporaldev.floor.BareWorkflows", arguments));
  }

  /// Returns the agent version of new hosts, from which other versions can be derived.
  public AgentVersion agentVersion() {
    return context.programs().agentVersion();
  }

  public StackSecrets secrets() {
    return context.secrets();
  }

  public StackTokens tokens() {
    return tokens;
  }

  /// Returns all running processes of the parts, with their descendants.
  public List<ProcessHandle> processes() {
    return tag.processes();
  }

  /// Kills everything at once, like a power cut; the parts can be started again.
  public void killAllProcesses() {
    tag.killAll();
  }

  /// Ends all parts in order, kills the rest, and unlocks the folder. Idempotent.
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      hosts.values().forEach(StackHost::close);
      List<StackProcess> parts = new ArrayList<>(programs.values());
      parts.addAll(hosts.values());
      parts.addAll(servers.values());
      stopInParallel(parts);
      temporal.stop();
      nats.stop();
    } finally {
      tag.killAll();
      if (isTemporary) {
        Uncheck.run(() -> PathUtils.deleteDirectory(folder.path()));
        Reaper.ofThisJvm().unregister(folder.path());
      }
      folder.close();
      removeShutdownHook();
    }
  }

  private static void stopInParallel(List<StackProcess> parts) {
    List<Thread> threads = parts.stream().map(stackProcess -> Thread.ofVirtual().start(stackProcess::stop)).toList();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw StackException.interrupted("ending the stack", e);
      }
    }
  }

  private void removeShutdownHook() {
    try {
      Runtime.getRuntime().removeShutdownHook(shutdownHook);
    } catch (IllegalStateException _) {
      // The JVM is shutting down.
    }
  }
}
