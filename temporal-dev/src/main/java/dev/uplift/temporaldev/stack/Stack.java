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
import java.util.Optional;
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
  private final Optional<Cluster> cluster;
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
    if (stackBuilder.isCluster()) {
      Cluster all = createCluster();
      cluster = Optional.of(all);
      nats = all.natsServers().getFirst();
      temporal = all.temporal();
    } else {
      cluster = Optional.empty();
      nats = new NatsServer(processContext("nats", "nats"), context, List.of("nats"));
      temporal =
          new TemporalDevServer(processContext("temporal", "temporal"), context, stackBuilder.isTemporalInMemory());
    }
    if (stackBuilder.hasServerLinks()) {
      linkServers();
    }
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

  private Cluster createCluster() {
    var natsServers =
        Cluster.NATS_SERVERS.stream()
            .map(name -> new NatsServer(processContext(name, name), context, Cluster.NATS_SERVERS))
            .toList();
    var postgres = new LocalPostgresServer(processContext("postgresql", "postgresql"), context);
    var temporalServer = new TemporalProductionServer(processContext("temporal", "temporal"), context, postgres);
    Cluster.SERVERS.forEach(name ->
        servers.put(
            name, new UpliftServer(processContext(name, name), context, natsServers.getFirst(), temporalServer)));
    List<UpliftServer> upliftServers = List.copyOf(servers.values());
    var loadBalancer = new LoadBalancer(processContext("load balancer", "load-balancer"), context, upliftServers);
    for (UpliftServer server : upliftServers) {
      server
          .environment("UPLIFT_DATABASE_URL", postgres.url())
          .environment("UPLIFT_DATABASE_USER", LocalPostgresServer.USER)
          .environment("UPLIFT_DATABASE_PASSWORD_FILE", postgres.passwordFile().toString())
          .environment("UPLIFT_NATS_REPLICAS", Integer.toString(natsServers.size()))
          .environment("UPLIFT_PUBLIC_URL", loadBalancer.urlForHosts());
    }
    return new Cluster(
        natsServers,
        postgres,
        temporalServer,
        new TemporalUiServer(processContext("temporal-ui", "temporal-ui"), context, temporalServer),
        upliftServers,
        loadBalancer);
  }

  private void linkServers() {
    if (cluster.isEmpty()) {
      server().linkTo(List.of(nats), temporal);
    }
    cluster.ifPresent(all ->
        all.servers()
            .forEach(server -> {
              server.linkTo(all.natsServers(), temporal);
              server.linkTo(all.postgres());
            }));
    cluster.ifPresent(all -> NatsServer.linkRoutes(all.natsServers()));
  }

  private StackProcess.ProcessContext processContext(String name, String path) {
    return new StackProcess.ProcessContext(name, folder.resolve(path), tag.append(path.replace('/', '-')), tag);
  }

  /// Starts nats-server, Temporal and a server, or all parts of the [Cluster], and blocks until all of them are ready.
  public void start() {
    if (cluster.isPresent()) {
      launch();
      cluster.get().parts().forEach(StackProcess::awaitReady);
      return;
    }
    nats.launch();
    temporal.launch();
    nats.awaitReady();
    temporal.awaitReady();
    server().start();
  }

  /// Starts the same and does not wait for more than what the others cannot start without. Servers need Temporal and
  /// NATS only after seconds, and wait for them.
  public void launch() {
    if (cluster.isPresent()) {
      cluster.get().natsServers().forEach(StackProcess::launch);
      cluster.get().postgres().start();
      cluster.get().parts().forEach(StackProcess::launch);
      return;
    }
    nats.launch();
    temporal.launch();
    server().launch();
  }

  /// Returns the parts that are ready after [#start], in the order in which they are started.
  public List<StackProcess> parts() {
    return cluster.map(Cluster::parts).orElseGet(() -> List.of(nats, temporal, server()));
  }

  public boolean isCluster() {
    return cluster.isPresent();
  }

  /// Returns the other servers of each kind.
  ///
  /// @throws IllegalStateException if the stack has but one of each
  public Cluster cluster() {
    return cluster.orElseThrow(() -> new IllegalStateException("this stack is no cluster"));
  }

  /// Returns the base URL of the REST interface: of the load balancer, if there is one.
  public String url() {
    return cluster.map(all -> all.loadBalancer().url()).orElseGet(() -> server().url());
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

  /// Returns those that [#start] starts.
  public List<UpliftServer> servers() {
    return cluster.map(Cluster::servers).orElseGet(() -> List.of(server()));
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
      linkedParts().forEach(StackProcess::reconnect);
      hosts.values().forEach(StackHost::close);
      List<StackProcess> parts = new ArrayList<>(programs.values());
      parts.addAll(hosts.values());
      parts.addAll(servers.values());
      cluster.ifPresent(all -> parts.addAll(List.of(all.loadBalancer(), all.temporalUi())));
      stopInParallel(parts);
      temporal.stop();
      cluster.ifPresent(all -> stopInParallel(List.of(all.postgres())));
      stopInParallel(cluster.map(Cluster::natsServers).orElseGet(() -> List.of(nats)));
    } finally {
      tag.killAll();
      linkedParts().forEach(StackProcess::closeLinks);
      if (isTemporary) {
        Uncheck.run(() -> PathUtils.deleteDirectory(folder.path()));
        Reaper.ofThisJvm().unregister(folder.path());
      }
      folder.close();
      removeShutdownHook();
    }
  }

  private List<StackProcess> linkedParts() {
    List<StackProcess> parts = new ArrayList<>(servers.values());
    cluster.ifPresent(all -> parts.addAll(all.natsServers()));
    return parts;
  }

  private static void stopInParallel(List<? extends StackProcess> parts) {
    List<Thread> threads =
        parts.stream().map(stackProcess -> Thread.ofPlatform().daemon().start(stackProcess::stop)).toList();
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
