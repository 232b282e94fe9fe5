package dev.uplift.temporaldev.stack;

import dev.uplift.cli.keys.PrivateFile;
import dev.uplift.cli.nats.NatsServerConfig;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.nats.LocalNatsOperator;
import dev.uplift.temporaldev.nats.MinimalNatsClient;
import dev.uplift.temporaldev.nats.NatsSubscription;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/// nats-server with JetStream in a file store. Whoever logs in needs credentials of its
/// [LocalNatsOperator].
public final class NatsServer extends StackProcess {
  /// Each takes seconds, unless the server is away.
  private static final int LOGIN_ATTEMPTS = 30;

  // The streams' own limits count; by default they would be refused where the disk is small.
  private static final String MAX_FILE_STORE = "1TB";

  private final StackContext stack;
  private final LocalNatsOperator operator;

  NatsServer(ProcessContext context, StackContext stack) {
    super(context);
    this.stack = stack;
    this.operator = stack.secrets().natsOperator();
  }

  /// What clients connect to.
  public String url() {
    return (stack.usesTls() ? "tls" : "nats") + "://127.0.0.1:" + port();
  }

  public int port() {
    return stack.ports().portOf(name());
  }

  /// Who may log in.
  public LocalNatsOperator operator() {
    return operator;
  }

  @Override
  void ensureProgram() {
    var _ = stack.programs().natsServer();
  }

  @Override
  LaunchCommand prepareLaunch() {
    stack.ports().checkFree(name());
    NatsServerConfig config = createConfig();
    copyNewAccounts(PrivateFile.createFolder(config.accountsFolder()));
    PrivateFile.write(configFile(), config.toText());
    return new LaunchCommand(
        List.of(stack.programs().natsServer().toString(), "--config", configFile().toString()));
  }

  private NatsServerConfig createConfig() {
    TlsCertificates tlsCertificates = stack.secrets().certificates();
    return new NatsServerConfig(
        "uplift-" + port(),
        "127.0.0.1:" + port(),
        folder(),
        operator.keyFolder().operatorJwt(),
        operator.keyFolder().accountPublicKey("system"),
        stack.usesTls()
            ? Optional.of(List.of(tlsCertificates.serverChain(), tlsCertificates.serverKey()))
            : Optional.empty(),
        MAX_FILE_STORE);
  }

  /// What nats-server has learnt since stays: whose access was taken away.
  private void copyNewAccounts(Path known) {
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(operator.keyFolder().accountsFolder())) {
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

  private Path configFile() {
    return folder().resolve("nats.conf");
  }

  @Override
  boolean isReady() {
    try (MinimalNatsClient _ = connect()) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Tells of every message on a subject from now on, with its subject and its text, in order. What
  /// is not ASCII in it is not to be relied on.
  public NatsSubscription subscribe(String subject, BiConsumer<String, String> told) {
    try {
      return new NatsSubscription(connect(), subject, told);
    } catch (IOException e) {
      throw new StackException("cannot listen to %s: %s".formatted(subject, e.getMessage()), e);
    }
  }

  /// As the server logs in. Whether somebody with these credentials may log in now.
  public boolean accepts(Credentials credentials) {
    for (int tries = 1; ; tries++) {
      try (MinimalNatsClient _ = MinimalNatsClient.login(port(), credentials, stack.tlsSockets())) {
        return true;
      } catch (MinimalNatsClient.LoginRefused _) {
        return false;
      } catch (IOException e) {
        if (tries == LOGIN_ATTEMPTS) {
          throw new StackException("cannot see whether NATS lets somebody in: " + e, e);
        }
      }
    }
  }

  MinimalNatsClient connect() throws IOException {
    return MinimalNatsClient.login(
        port(), Credentials.read(operator.serverCredentials()), stack.tlsSockets());
  }
}
