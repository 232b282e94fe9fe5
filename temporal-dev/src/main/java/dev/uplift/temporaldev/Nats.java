package dev.uplift.temporaldev;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/// nats-server with JetStream in a file store. User `uplift` has the streams; each tenant has a
/// user `device-<tenant>` that reaches that tenant's own subjects only, and listens on inboxes
/// `_INBOX.<tenant>.…`.
public final class Nats extends Part {
  private final Shared stack;
  private final Path tenantsFile;
  private final NavigableSet<String> tenants = new TreeSet<>();

  Nats(Seat seat, Shared stack) {
    super(seat);
    this.stack = stack;
    this.tenantsFile = seat.folder().resolve("tenants");
    Folder.read(tenantsFile).stream()
        .flatMap(String::lines)
        .filter(line -> !line.isBlank())
        .forEach(tenants::add);
  }

  /// What clients connect to.
  public String url() {
    return "nats://127.0.0.1:" + port();
  }

  public int port() {
    return stack.ports().of(name());
  }

  /// The user that the server and the streams' owner logs in as.
  public String user() {
    return "uplift";
  }

  public Path passwordFile() {
    return stack.secrets().password(user());
  }

  static String deviceUser(String tenant) {
    return "device-" + tenant;
  }

  /// The user that agents of the tenant log in as.
  public String user(String tenant) {
    addTenant(tenant);
    return deviceUser(tenant);
  }

  public Path passwordFile(String tenant) {
    return stack.secrets().password(user(tenant));
  }

  /// Gives the tenant's devices a user, if they have none. Returns when they can log in;
  /// connections of others stay.
  public synchronized void addTenant(String tenant) {
    if (!tenant.matches("[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?")) {
      throw new IllegalArgumentException("not a name for a tenant: " + tenant);
    }
    if (!tenants.add(tenant)) {
      return;
    }
    PrivateFile.write(tenantsFile, String.join("\n", tenants) + "\n");
    if (isRunning()) {
      writeConfig();
      signal("HUP");
      awaitLogin(tenant);
    }
  }

  private void awaitLogin(String tenant) {
    long until = System.nanoTime() + readyWithin().toNanos();
    while (!canLogIn(deviceUser(tenant))) {
      if (System.nanoTime() > until || !isRunning()) {
        throw new StackFailure(
            "nats-server does not take the new tenant %s:%n%s".formatted(tenant, Log.tail(log())));
      }
    }
  }

  @Override
  void provide() {
    var _ = stack.programs().natsServer();
  }

  @Override
  Launch prepare() {
    stack.ports().checkFree(name());
    writeConfig();
    return new Launch(
        List.of(stack.programs().natsServer().toString(), "--config", config().toString()));
  }

  private Path config() {
    return folder().resolve("nats.conf");
  }

  private synchronized void writeConfig() {
    PrivateFile.write(
        config(),
        new NatsConfig(
                "uplift-" + port(), port(), folder().resolve("store"), stack.secrets(), tenants)
            .text());
  }

  @Override
  boolean isReady() {
    return canLogIn(user());
  }

  private boolean canLogIn(String user) {
    try (NatsWire _ = login(user)) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Tells of every message on a subject from now on, with its subject and its text, in order. What
  /// is not ASCII in it is not to be relied on.
  public Listening listen(String subject, BiConsumer<String, String> told) {
    try {
      return new Listening(login(user()), subject, told);
    } catch (IOException e) {
      throw new StackFailure("cannot listen to %s: %s".formatted(subject, e.getMessage()), e);
    }
  }

  /// What the configuration of a tenant's agents says of it.
  Map<String, Object> loginOf(String tenant) {
    return Map.of(
        "nats", url(),
        "user", user(tenant),
        "password_file", passwordFile(tenant).toString());
  }

  NatsWire login(String user) throws IOException {
    return NatsWire.login(port(), user, PrivateFile.read(stack.secrets().password(user)));
  }
}
