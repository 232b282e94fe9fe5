package dev.uplift.temporaldev.stack;

import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.temporaldev.process.ProcessSession;
import dev.uplift.temporaldev.process.ProcessTag;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.secrets.StackSecrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A host in a folder of its own, for a stack that another process has open, switched on and off by
/// hand.
///
///     StandaloneHost.configure(stack, folder, "acme", "left", Map.of("shopd", "bundle"));
///     try (StandaloneHost host = StandaloneHost.open(folder)) {
///       host.start();
///     }
///
/// Its configuration is written once and may then be edited. It reboots like a [StackHost]. A
/// folder is open only once at a time.
public final class StandaloneHost implements AutoCloseable {
  /// Starts the services of bundles, as `systemctl` would.
  private static final String BOOT_SCRIPT =
      """
      for restart in packages/*/current/bin/restart; do
        [ ! -x "$restart" ] || "$restart"
      done
      """;

  private final LockedFolder folder;
  private final ProcessTag tag;
  private final StackHost host;
  private final Thread closer = new Thread(this::close, "host shutdown");
  private boolean isClosed;

  private StandaloneHost(LockedFolder folder, StackHost host, ProcessTag tag) {
    this.folder = folder;
    this.tag = tag;
    this.host = host;
    Runtime.getRuntime().addShutdownHook(closer);
  }

  /// Writes all files that an agent needs into a folder without a configuration.
  ///
  /// @param stack its folder; the tenant must be one of the stack's
  /// @param packages name to kind
  public static Path configure(Path stack, Path folder, String tenant, String id, Map<String, String> packages) {
    try (LockedFolder locked = lockEmpty(stack, folder)) {
      StackHost stackHost = host(locked, stack, tenant, id, packages);
      stackHost.writeConfig();
      return stackHost.config();
    }
  }

  /// As above, for a host that joins with a token. After a rejection the folder can be used again.
  public static JoinCommandResult join(Path stack, Path folder, JoinToken token, Map<String, String> packages) {
    try (LockedFolder locked = lockEmpty(stack, folder)) {
      StackHost stackHost = host(locked, stack, token.tenant(), token.host(), packages);
      JoinCommandResult joinCommandResult = stackHost.join(token.encode());
      if (joinCommandResult.exitCode() != 0) {
        Files.delete(stackHost.config());
      }
      return joinCommandResult;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static StackHost host(
      LockedFolder locked, Path stack, String tenant, String id, Map<String, String> packages) {
    StackHost host = host(locked, locked.tag(), absolute(stack), tenant, id);
    packages.forEach((name, kind) -> host.withPackage(name, kind, Map.of()));
    return host;
  }

  private static LockedFolder lockEmpty(Path stack, Path folder) {
    if (!Files.exists(stack.resolve("ports"))) {
      throw new StackException(stack + " is not the folder of a stack: `uplift up` creates one");
    }
    Path place = absolute(folder);
    if (Files.exists(place.resolve("agent.json"))) {
      throw new StackException(place + " already has an agent.json: edit that, or use another folder");
    }
    return LockedFolder.open(place);
  }

  private static Path absolute(Path folder) {
    return folder.toAbsolutePath().normalize();
  }

  /// Opens the folder. Throws if it has no configuration or is already open.
  public static StandaloneHost open(Path folder) {
    Path place = absolute(folder);
    if (!Files.exists(place.resolve("agent.json"))) {
      throw new StackException(place + " has no agent.json: `uplift agent init` creates one");
    }
    LockedFolder locked = LockedFolder.open(place);
    ProcessTag processTag = locked.tag();
    processTag.killAll();
    // Keys and addresses are in its configuration.
    StackHost stackHost = host(locked, processTag, place, "by", "hand").keepExistingConfig();
    stackHost.onBoot("/bin/sh", "-c", BOOT_SCRIPT);
    return new StandaloneHost(locked, stackHost, processTag);
  }

  private static StackHost host(
      LockedFolder lockedFolder, ProcessTag processTag, Path stack, String tenant, String id) {
    StackProcess.ProcessContext seat =
        new StackProcess.ProcessContext("agent", lockedFolder.path(), processTag, processTag);
    var ports = new PortAllocator(stack.resolve("ports"));
    StackContext context =
        new StackContext(
            ports,
            new StackSecrets(stack.resolve("secrets")),
            new StackBuilder(lockedFolder.path(), false).programs(),
            Files.exists(stack.resolve("secrets/tls/complete")),
            ProcessSession::start);
    StackProcess.ProcessContext nats =
        new StackProcess.ProcessContext("nats", stack.resolve("nats"), processTag, processTag);
    return new StackHost(seat, context, new NatsServer(nats, context, Cluster.natsServersOf(ports)), tenant, id);
  }

  /// Boots the host and starts its agent.
  public void start() {
    host.start();
  }

  public Path logFile() {
    return host.logFile();
  }

  public long pid() {
    return host.pid();
  }

  public String bootId() {
    return host.bootId();
  }

  /// Returns whether its agent runs, or will after a reboot in progress.
  public boolean isPoweredOn() {
    return host.isPoweredOn();
  }

  /// Ends the agent in order, then kills everything else on the host. Idempotent.
  @Override
  public synchronized void close() {
    if (isClosed) {
      return;
    }
    isClosed = true;
    try {
      host.close();
      host.stop();
    } finally {
      tag.killAll();
      folder.close();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(closer);
    } catch (IllegalStateException _) {
      // The JVM is shutting down.
    }
  }
}
