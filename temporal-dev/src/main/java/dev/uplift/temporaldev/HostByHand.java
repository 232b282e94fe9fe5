package dev.uplift.temporaldev;

import dev.uplift.protocol.enrolment.JoinToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/// A host of a stack that another process has open: played by a folder of somebody's own, and
/// switched on and off by hand.
///
///     HostByHand.configure(stack, folder, "acme", "left", Map.of("shopd", "bundle"));
///     try (HostByHand host = HostByHand.open(folder)) {
///       host.start();
///     }
///
/// Its configuration is written once, and belongs to whoever edits it from then on. It reboots as a
/// [Host] of a stack does. A folder is open once at a time.
public final class HostByHand implements AutoCloseable {
  /// What `systemctl` would do: the services of bundles are started from where they are.
  private static final String AT_BOOT =
      """
      for restart in packages/*/current/bin/restart; do
        [ ! -x "$restart" ] || "$restart"
      done
      """;

  private final Folder folder;
  private final Tag tag;
  private final Host host;
  private final Thread closer = new Thread(this::close, "host closer");
  private boolean isClosed;

  private HostByHand(Folder folder, Host host, Tag tag) {
    this.folder = folder;
    this.tag = tag;
    this.host = host;
    Runtime.getRuntime().addShutdownHook(closer);
  }

  /// Writes all that an agent needs, into a folder that has no configuration yet.
  ///
  /// @param stack its folder; the tenant must be one of the stack's
  /// @param packages name to kind
  public static Path configure(
      Path stack, Path folder, String tenant, String id, Map<String, String> packages) {
    try (Folder locked = empty(stack, folder)) {
      Host host = host(locked, locked.tag(), whole(stack), tenant, id);
      packages.forEach((name, kind) -> host.has(name, kind, Map.of()));
      host.configure();
      return host.config();
    }
  }

  /// The same for a host that joins with a token. Where it may not, the folder may be used again.
  public static Joined join(
      Path stack, Path folder, JoinToken token, Map<String, String> packages) {
    try (Folder locked = empty(stack, folder)) {
      Host host = host(locked, locked.tag(), whole(stack), token.tenant(), token.host());
      packages.forEach((name, kind) -> host.has(name, kind, Map.of()));
      Joined joined = host.join(token.text());
      if (joined.code() != 0) {
        Files.delete(host.config());
      }
      return joined;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Folder empty(Path stack, Path folder) {
    if (!Files.exists(stack.resolve("ports"))) {
      throw new StackFailure(stack + " is no folder of a stack: `uplift up` makes one");
    }
    Path place = whole(folder);
    if (Files.exists(place.resolve("agent.json"))) {
      throw new StackFailure(
          place + " has an agent.json already: edit that, or take another folder");
    }
    return Folder.open(place);
  }

  private static Path whole(Path folder) {
    return folder.toAbsolutePath().normalize();
  }

  /// Throws when the folder has no configuration, or is open already.
  public static HostByHand open(Path folder) {
    Path place = whole(folder);
    if (!Files.exists(place.resolve("agent.json"))) {
      throw new StackFailure(place + " has no agent.json: `uplift agent init` makes one");
    }
    Folder locked = Folder.open(place);
    Tag tag = locked.tag();
    tag.endAll();
    // Keys and addresses are in the configuration already.
    Host host = host(locked, tag, place, "by", "hand").keepsConfig();
    host.atBoot("/bin/sh", "-c", AT_BOOT);
    return new HostByHand(locked, host, tag);
  }

  private static Host host(Folder folder, Tag tag, Path stack, String tenant, String id) {
    Seat seat = new Seat("agent", folder.path(), tag, tag);
    Shared shared =
        new Shared(
            new Ports(stack.resolve("ports")),
            new Secrets(stack.resolve("secrets")),
            new Setup(folder.path(), false).programs(),
            Files.exists(stack.resolve("secrets/tls/complete")));
    Seat nats = new Seat("nats", stack.resolve("nats"), tag, tag);
    return new Host(seat, shared, new Nats(nats, shared), tenant, id);
  }

  /// The host boots, and its agent runs.
  public void start() {
    host.start();
  }

  public Path log() {
    return host.log();
  }

  public long pid() {
    return host.pid();
  }

  public String bootId() {
    return host.bootId();
  }

  /// Whether its agent runs, or will again since it reboots.
  public boolean isOn() {
    return host.isOn();
  }

  /// Ends the agent in order, then whatever runs on the host. Safe to repeat.
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
      tag.endAll();
      folder.close();
    }
    try {
      Runtime.getRuntime().removeShutdownHook(closer);
    } catch (IllegalStateException _) {
      // This is the shutdown.
    }
  }
}
