package dev.uplift.temporaldev;

import dev.uplift.protocol.nats.Credentials;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// nats-server with JetStream in a file store. Whoever logs in needs credentials of its [Realm].
public final class Nats extends Part {
  /// Each takes seconds, unless the server is away.
  private static final int TRIES = 30;

  // The streams' own limits count; by default they would be refused where the disk is small.
  private static final String MAX_FILE_STORE = "1TB";

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
    NatsConfig config = configuration();
    introduce(PrivateFile.folder(config.accounts()));
    PrivateFile.write(config(), config.text());
    return new Launch(
        List.of(stack.programs().natsServer().toString(), "--config", config().toString()));
  }

  private NatsConfig configuration() {
    Certificates certificates = stack.secrets().certificates();
    return new NatsConfig(
        "uplift-" + port(),
        "127.0.0.1:" + port(),
        folder(),
        realm.keys().operator(),
        realm.keys().account("system"),
        stack.isSecured()
            ? Optional.of(List.of(certificates.chain(), certificates.key()))
            : Optional.empty(),
        MAX_FILE_STORE);
  }

  /// What nats-server has learnt since stays: whose access was taken away.
  private void introduce(Path known) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(realm.keys().accounts())) {
      for (Path each : all) {
        Path file = known.resolve(each.getFileName());
        if (!Files.exists(file)) {
          PrivateFile.write(file, PrivateFile.read(each));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
