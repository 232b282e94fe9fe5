package dev.uplift.temporaldev.stack;

import dev.uplift.temporaldev.programs.ProgramLocator;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/// How a stack is to be, before it is opened.
public final class StackBuilder {
  private final Path folder;
  private final boolean isTemporary;
  private Consumer<String> progress = _ -> {};
  private boolean temporalInMemory;
  private boolean tls;
  private Optional<String> agentClassPath = Optional.empty();
  private Optional<String> serverClassPath = Optional.empty();

  StackBuilder(Path folder, boolean isTemporary) {
    this.folder = folder;
    this.isTemporary = isTemporary;
  }

  /// Who is told of what takes long: the building of servers, once.
  public StackBuilder progress(Consumer<String> line) {
    progress = line;
    return this;
  }

  /// Temporal keeps nothing in files: faster, and forgotten when it ends.
  public StackBuilder temporalInMemory() {
    temporalInMemory = true;
    return this;
  }

  /// NATS and the server speak TLS to hosts, with an authority of the stack's own. People reach the
  /// server on the loopback interface without.
  public StackBuilder tls() {
    tls = true;
    return this;
  }

  boolean usesTls() {
    return tls;
  }

  /// Where agents are taken from, in place of `agent/target/program`: for tests of the agent
  /// itself. Each host has a copy of it, so it should hold nothing else.
  public StackBuilder agentClassPath(String classPath) {
    agentClassPath = Optional.of(classPath);
    return this;
  }

  /// Where servers are taken from, in place of `api/target/program`.
  public StackBuilder serverClassPath(String classPath) {
    serverClassPath = Optional.of(classPath);
    return this;
  }

  /// Locks the folder and makes what is missing in it. Starts nothing yet. Throws when another
  /// stack has the folder open.
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
