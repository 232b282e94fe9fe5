package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.process.ProcessSession;
import dev.uplift.temporaldev.process.ProgramStarter;
import dev.uplift.temporaldev.programs.ProgramLocator;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// Options of a stack before it is opened.
public final class StackBuilder {
  private final Path folder;
  private final boolean isTemporary;
  private Consumer<String> progress = _ -> {};
  private boolean temporalInMemory;
  private boolean tls;
  private boolean cluster;
  private boolean serverLinks;
  private ProgramStarter runner = ProcessSession::start;
  private Optional<String> agentClassPath = Optional.empty();
  private Optional<String> serverClassPath = Optional.empty();

  StackBuilder(Path folder, boolean isTemporary) {
    this.folder = folder;
    this.isTemporary = isTemporary;
  }

  /// Sets the listener for slow steps: the one-time build of servers.
  public StackBuilder progress(Consumer<String> line) {
    progress = line;
    return this;
  }

  /// Keeps the data of Temporal in memory: faster, and lost at its end.
  public StackBuilder temporalInMemory() {
    temporalInMemory = true;
    return this;
  }

  /// NATS and the server use TLS with hosts, by an authority of the stack. The loopback address of the server stays
  /// without TLS.
  public StackBuilder tls() {
    tls = true;
    return this;
  }

  /// Several servers of each kind, see [Cluster].
  public StackBuilder cluster() {
    cluster = true;
    return this;
  }

  boolean isCluster() {
    return cluster;
  }

  /// Each Uplift server that [Stack#start] starts can be cut off from NATS, Temporal and PostgreSQL, and each
  /// nats-server of a cluster from the other two ([StackProcess#cutOff]). Not together with [#tls].
  public StackBuilder serverLinks() {
    serverLinks = true;
    return this;
  }

  boolean hasServerLinks() {
    return serverLinks;
  }

  /// Sets where nats-server and Temporal run.
  public StackBuilder runner(ProgramStarter other) {
    runner = other;
    return this;
  }

  ProgramStarter runner() {
    return runner;
  }

  boolean usesTls() {
    return tls;
  }

  /// Sets the class path of agents instead of `agent/target/program`, for tests of the agent. Each host gets a copy, so
  /// it should contain nothing else.
  public StackBuilder agentClassPath(String classPath) {
    agentClassPath = Optional.of(classPath);
    return this;
  }

  /// Sets the class path of servers instead of `api/target/program`.
  public StackBuilder serverClassPath(String classPath) {
    serverClassPath = Optional.of(classPath);
    return this;
  }

  /// Locks the folder and creates missing files. Starts nothing. Throws if another stack has the folder open.
  public Stack open() {
    LockedFolder locked = LockedFolder.open(folder);
    try {
      return new Stack(this, locked);
    } catch (RuntimeException e) {
      locked.close();
      throw e;
    }
  }

  Path folder() {
    return folder;
  }

  boolean isTemporary() {
    return isTemporary;
  }

  boolean isTemporalInMemory() {
    return temporalInMemory;
  }

  ProgramLocator programs() {
    return new ProgramLocator(progress, agentClassPath, serverClassPath);
  }
}
