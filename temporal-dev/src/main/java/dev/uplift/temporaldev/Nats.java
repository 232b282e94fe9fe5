package dev.uplift.temporaldev;

import dev.uplift.protocol.nats.Credentials;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.BiConsumer;

/// nats-server with JetStream in a file store. Whoever logs in needs credentials of its [Realm].
public final class Nats extends Part {
  /// Each takes seconds, unless the server is away.
  private static final int TRIES = 30;

  private static final List<String> ACCOUNTS = List.of("system", "streams", "devices");

  private final Shared stack;
  private final Realm realm;

  Nats(Seat seat, Shared stack) {
    super(seat);
    this.stack = stack;
    this.realm = stack.secrets().realm();
  }

  /// What clients connect to.
  public String url() {
    return (stack.isSecured() ? "tls" : "nats") + "://127.0.0.1:" + port();
  }

  public int port() {
    return stack.ports().of(name());
  }

  /// Who may log in.
  public Realm realm() {
    return realm;
  }

  @Override
  void provide() {
    var _ = stack.programs().natsServer();
  }

  @Override
  Launch prepare() {
    stack.ports().checkFree(name());
    Path accounts = PrivateFile.folder(folder().resolve("accounts"));
    ACCOUNTS.forEach(account -> introduce(accounts, account));
    PrivateFile.write(
        config(),
        new NatsConfig("uplift-" + port(), port(), folder().resolve("store"), accounts, stack)
            .text());
    return new Launch(
        List.of(stack.programs().natsServer().toString(), "--config", config().toString()));
  }

  /// What nats-server has learnt since stays: whose access was taken away.
  private void introduce(Path accounts, String account) {
    Path file = accounts.resolve(realm.name(account) + ".jwt");
    if (!Files.exists(file)) {
      PrivateFile.write(file, realm.account(account));
    }
  }

  private Path config() {
    return folder().resolve("nats.conf");
  }

  @Override
  boolean isReady() {
    try (NatsWire _ = login()) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Tells of every message on a subject from now on, with its subject and its text, in order. What
  /// is not ASCII in it is not to be relied on.
  public Listening listen(String subject, BiConsumer<String, String> told) {
    try {
      return new Listening(login(), subject, told);
    } catch (IOException e) {
      throw new StackFailure("cannot listen to %s: %s".formatted(subject, e.getMessage()), e);
    }
  }

  /// As the server logs in. Whether somebody with these credentials may log in now.
  public boolean letsIn(Credentials credentials) {
    for (int tries = 1; ; tries++) {
      try (NatsWire _ = NatsWire.login(port(), credentials, stack.sockets())) {
        return true;
      } catch (NatsWire.Refused _) {
        return false;
      } catch (IOException e) {
        if (tries == TRIES) {
          throw new StackFailure("cannot see whether NATS lets somebody in: " + e, e);
        }
      }
    }
  }

  NatsWire login() throws IOException {
    return NatsWire.login(port(), Credentials.read(realm.server()), stack.sockets());
  }
}
