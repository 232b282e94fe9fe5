package dev.uplift.temporaldev;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All of Uplift on this machine, as processes, in one folder: nats-server, Temporal, Uplift servers,
/// and hosts with their agents.
///
///     try (Stack stack = Stack.in(folder).open()) {
///       stack.start();
///       stack.host("acme", "left").has("shopd", "bundle", Map.of()).start();
///       stack.nats().kill();
///       stack.nats().start();
///     }
///
/// Opening starts nothing. Each part can be started, stopped, killed and started again on its own, in
/// any order, and finds its folder, its port, its keys and passwords as they were, also when the stack
/// is closed and opened again. Closing ends all parts, and whatever they have started; so does the
/// [Reaper] when this JVM is killed. Folder, ports and processes belong to one stack at a time.
public final class Stack implements AutoCloseable {
  private final Folder folder;
  private final boolean isTemporary;
  private final Shared shared;
  private final Tokens tokens;
  private final Tag tag;
  private final Nats nats;
  private final Temporal temporal;
  private final Map<String, Server> servers = new LinkedHashMap<>();
  private final Map<String, Host> hosts = new LinkedHashMap<>();
  private final Map<String, Program> programs = new LinkedHashMap<>();
  private final Thread closer = new Thread(this::close, "stack closer");
  private boolean isClosed;

  Stack(Setup setup, Folder folder) {
    this.folder = folder;
    isTemporary = setup.isTemporary();
    Tag everyRun = folder.tag();
    // What a run before has left, whose JVM and reaper were killed together.
    everyRun.endAll();
    tag = everyRun.with(Long.toHexString(System.nanoTime()));
    var secrets = new Secrets(folder.resolve("secrets"));
    shared =
        new Shared(
            new Ports(folder.resolve("ports")), secrets, setup.programs(), setup.isSecured());
    tokens = new Tokens(folder.resolve("tokens"), secrets.tokenSecret());
    nats = new Nats(seat("nats", "nats"), shared);
    temporal = new Temporal(seat("temporal", "temporal"), shared, setup.isTemporalInMemory());
    Runtime.getRuntime().addShutdownHook(closer);
  }

  /// A stack in a folder that stays, made where there is none.
  public static Setup in(Path folder) {
    return new Setup(folder, false);
  }

  /// A stack in a new folder that is removed with it.
  public static Setup temporary() {
    return new Setup(Reaper.ofThisJvm().temporaryFolder("uplift-"), true);
  }

  private Seat seat(String name, String path) {
    return new Seat(name, folder.resolve(path), tag.with(path.replace('/', '-')), tag);
  }

  /// Starts nats-server, Temporal and a server, and returns when all of them serve.
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

  public Nats nats() {
    return nats;
  }

  public Temporal temporal() {
    return temporal;
  }

  public Server server() {
    return server("server");
  }

  /// Another server beside the first. It has a port, a folder and, unless said otherwise, a
  /// database of its own.
  public synchronized Server server(String name) {
    return servers.computeIfAbsent(name, key -> new Server(seat(key, key), shared, nats, temporal));
  }

  /// The host of that name; a new one has no packages, and does not run yet.
  public synchronized Host host(String tenant, String host) {
    if (!tenant.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
      throw new IllegalArgumentException("not a name for a tenant: " + tenant);
    }
    if (!host.matches("[A-Za-z0-9][A-Za-z0-9_-]{0,62}")) {
      throw new IllegalArgumentException("not a name for a host: " + host);
    }
    return hosts.computeIfAbsent(
        tenant + "/" + host,
        key -> new Host(seat("agent " + key, "hosts/" + key), shared, nats, tenant, host));
  }

  /// The hosts that have been asked for, in that order.
  public synchronized List<Host> hosts() {
    return List.copyOf(hosts.values());
  }

  /// Any process. The same name gives the same one, whatever the command is then.
  public synchronized Program program(String name, List<String> command) {
    return programs.computeIfAbsent(name, key -> new Program(seat(key, key), command));
  }

  /// A process that plays many hosts.
  public Program simulator(List<String> arguments) {
    return simulator("simulator", arguments);
  }

  /// One of several that play many hosts; by its name, as [#program].
  public Program simulator(String name, List<String> arguments) {
    List<String> java = new ArrayList<>(seat(name, name).withinFolder());
    java.add("-XX:+UseSerialGC");
    List<String> all = new ArrayList<>(arguments);
    if (shared.isSecured()) {
      all.addAll(List.of("--ca", shared.secrets().certificates().authority().toString()));
    }
    return program(
        name,
        Programs.java(
            java, shared.programs().agent(), "dev.uplift.agent.simulator.Simulator", all));
  }

  /// The version of the agent that new hosts have: the one to make others of.
  public AgentVersion agentVersion() {
    return shared.programs().agentVersion();
  }

  public Secrets secrets() {
    return shared.secrets();
  }

  public Tokens tokens() {
    return tokens;
  }

  /// The processes of all parts, and what these have started, that run now.
  public List<ProcessHandle> processes() {
    return tag.processes();
  }

  /// Ends everything at once, as a power cut does; the parts can be started again.
  public void killAll() {
    tag.endAll();
  }

  /// Ends all parts in order, then whatever is left, and unlocks the folder. Safe to repeat.
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      hosts.values().forEach(Host::close);
      List<Part> parts = new ArrayList<>(programs.values());
      parts.addAll(hosts.values());
      parts.addAll(servers.values());
      endTogether(parts);
      temporal.stop();
      nats.stop();
    } finally {
      tag.endAll();
      if (isTemporary) {
        Folders.delete(folder.path());
        Reaper.ofThisJvm().forget(folder.path());
      }
      folder.close();
      forgetCloser();
    }
  }

  private static void endTogether(List<Part> parts) {
    List<Thread> threads =
        parts.stream().map(part -> Thread.ofVirtual().start(part::stop)).toList();
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        throw StackFailure.interrupted("ending the stack", e);
      }
    }
  }

  private void forgetCloser() {
    try {
      Runtime.getRuntime().removeShutdownHook(closer);
    } catch (IllegalStateException _) {
      // This is the shutdown.
    }
  }
}
