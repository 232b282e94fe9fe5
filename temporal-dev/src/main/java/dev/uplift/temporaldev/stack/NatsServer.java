package dev.uplift.temporaldev.stack;

import static java.util.stream.Collectors.joining;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.nats.NatsServerConfig;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.nats.LocalNatsClient;
import dev.uplift.temporaldev.nats.LocalNatsOperator;
import dev.uplift.temporaldev.process.NetworkLink;
import dev.uplift.temporaldev.process.ProgramStarter;
import dev.uplift.temporaldev.process.StackException;
import dev.uplift.temporaldev.secrets.TlsCertificates;
import io.nats.client.AuthenticationException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.stream.Stream;

/// nats-server with JetStream in a file store, alone or one of a cluster. Logins need credentials of its
/// [LocalNatsOperator].
public final class NatsServer extends StackProcess {
  /// The name of the cluster that several of them are.
  public static final String CLUSTER = "uplift";

  /// An attempt takes seconds if the server is unavailable, or has much else to do.
  private static final int LOGIN_ATTEMPTS = 30;

  // The limits of the streams apply; by default NATS would reject them on a small disk.
  private static final String MAX_FILE_STORE = "1TB";

  /// No server listens there.
  private static final String UNREACHABLE = "127.0.0.1:1";

  private final StackContext stack;
  private final List<String> members;
  private final LocalNatsOperator operator;
  private final Map<String, NetworkLink> routeLinks = new HashMap<>();

  /// @param members names of the servers of its cluster, with its own; of one that is alone, its own
  NatsServer(ProcessContext context, StackContext stack, List<String> members) {
    super(context);
    this.stack = stack;
    this.members = members;
    this.operator = stack.secrets().natsOperator();
  }

  /// Returns the URLs for clients, separated by commas: its own, then those of the other servers of its cluster.
  public String url() {
    return Stream.concat(Stream.of(name()), members.stream().filter(member -> !member.equals(name())))
        .map(this::urlOf)
        .collect(joining(","));
  }

  private String urlOf(String member) {
    return (stack.usesTls() ? "tls" : "nats") + "://127.0.0.1:" + stack.ports().portOf(member);
  }

  public int port() {
    return stack.ports().portOf(name());
  }

  /// Returns the operator, which issues credentials.
  public LocalNatsOperator operator() {
    return operator;
  }

  @Override
  void ensureProgram() {
    var _ = stack.programs().natsServer();
  }

  @Override
  ProgramStarter runner() {
    return stack.runner();
  }

  @Override
  LaunchCommand prepareLaunch() {
    stack.ports().checkFree(name());
    NatsServerConfig config = createConfig();
    copyNewAccounts(PrivateFile.createFolder(config.accountsFolder()));
    PrivateFile.write(configFile(), config.toText());
    return new LaunchCommand(List.of(stack.programs().natsServer().toString(), "--config", configFile().toString()));
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
        MAX_FILE_STORE,
        members.size() == 1 ? Optional.empty() : Optional.of(cluster()));
  }

  /// From their next start on they reach each other by links. Clients reach them without.
  static void linkRoutes(List<NatsServer> all) {
    for (NatsServer from : all) {
      for (NatsServer to : all) {
        if (!from.equals(to)) {
          NetworkLink link = from.openLink(from.routePort(to.name()));
          from.routeLinks.put(to.name(), link);
          to.addLink(link);
        }
      }
    }
  }

  private NatsServerConfig.Cluster cluster() {
    String own = address(routePort(name()));
    if (routeLinks.isEmpty()) {
      return new NatsServerConfig.Cluster(
          CLUSTER, own, members.stream().map(member -> address(routePort(member))).toList(), Optional.empty());
    }
    // A server connects to others that it is told of. It gives up one that it cannot reach, but not its own routes.
    return new NatsServerConfig.Cluster(
        CLUSTER,
        own,
        routeLinks.values().stream().map(link -> address(link.port())).toList(),
        Optional.of(UNREACHABLE));
  }

  private int routePort(String member) {
    return stack.ports().portOf(member + " routes");
  }

  private static String address(int port) {
    return "127.0.0.1:" + port;
  }

  /// Copies account JWTs that nats-server does not have yet. Its own are newer: they have revocations.
  private void copyNewAccounts(Path accountsFolder) {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(operator.keyFolder().accountsFolder())) {
      for (Path each : all) {
        Path file = accountsFolder.resolve(each.getFileName());
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
    try (LocalNatsClient _ = LocalNatsClient.connect(urlOf(name()), serverCredentials(), stack.tls())) {
      return true;
    } catch (IOException _) {
      return false;
    }
  }

  /// Passes on subject and text of every message from now on, in order, with the permissions of the Uplift server.
  /// Close it to end the subscription.
  public LocalNatsClient subscribe(String subject, BiConsumer<String, String> listener) {
    try {
      return retry(() -> subscribe(url(), subject, listener));
    } catch (IOException e) {
      throw cannotSubscribe(subject, e);
    }
  }

  /// As [#subscribe], at each server of its cluster that responds, because one may be cut off from the others. What one
  /// passes on to another arrives more than once.
  List<LocalNatsClient> subscribeAtEach(String subject, BiConsumer<String, String> listener) {
    List<LocalNatsClient> clients = new ArrayList<>();
    List<IOException> failures = new ArrayList<>();
    for (String member : members) {
      try {
        clients.add(subscribe(urlOf(member), subject, listener));
      } catch (IOException e) {
        failures.add(e);
      }
    }
    if (clients.isEmpty()) {
      throw cannotSubscribe(subject, failures.getFirst());
    }
    return clients;
  }

  private LocalNatsClient subscribe(String url, String subject, BiConsumer<String, String> listener)
      throws IOException {
    LocalNatsClient client = LocalNatsClient.connect(url, serverCredentials(), stack.tls());
    client.subscribe(subject, listener);
    return client;
  }

  private static StackException cannotSubscribe(String subject, IOException e) {
    return new StackException("cannot subscribe to %s: %s".formatted(subject, e.getMessage()), e);
  }

  private Credentials serverCredentials() throws IOException {
    return Credentials.read(operator.serverCredentials());
  }

  /// Returns whether a login with these credentials is accepted.
  public boolean accepts(Credentials credentials) {
    try (LocalNatsClient _ = retry(() -> LocalNatsClient.connect(url(), credentials, stack.tls()))) {
      return true;
    } catch (AuthenticationException _) {
      return false;
    } catch (IOException e) {
      throw new StackException("cannot check a login to NATS: " + e, e);
    }
  }

  /// A login to this server.
  @FunctionalInterface
  private interface Login {
    LocalNatsClient attempt() throws IOException;
  }

  /// Logs in as soon as the server responds. One that is rejected is not repeated.
  private static LocalNatsClient retry(Login login) throws IOException {
    for (int attempt = 1; ; attempt++) {
      try {
        return login.attempt();
      } catch (AuthenticationException e) {
        throw e;
      } catch (IOException e) {
        if (attempt == LOGIN_ATTEMPTS) {
          throw e;
        }
      }
    }
  }
}
