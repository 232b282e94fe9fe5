package dev.uplift.cli.nats;

import static java.util.stream.Collectors.joining;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The configuration of a nats-server, for a local stack and for production. User JWTs decide about logins and
/// permissions; account JWTs are in a folder and change at run time.
///
/// @param listen address and port
/// @param dataFolder folder of JetStream and of account JWTs
/// @param operatorJwt file of the JWT of the trusted operator
/// @param systemAccount public key of the account that may update account JWTs
/// @param tls certificate chain and key; none without TLS
/// @param maxFileStore limit of the streams on disk
/// @param cluster of nats-servers that it is one of; none if it is alone
public record NatsServerConfig(
    String name,
    String listen,
    Path dataFolder,
    Path operatorJwt,
    String systemAccount,
    Optional<List<Path>> tls,
    String maxFileStore,
    Optional<Cluster> cluster) {
  /// The servers that it works with.
  ///
  /// @param listen address and port for the other servers
  /// @param routes address and port of each server of the cluster; its own may be among them
  /// @param advertise address and port that the other servers tell each other of this one; none: where they reach it
  public record Cluster(String name, String listen, List<String> routes, Optional<String> advertise) {}

  public String toText() {
    String head =
        """
        server_name: %s
        listen: %s
        # The list of revoked host keys is one message, of 100 bytes per key.
        max_payload: 8MB
        """
            .formatted(quoted(name), quoted(listen));
    String secured =
        tls.map(files ->
                """

                # Certificate with its chain up to the authority that hosts trust, and the key.
                tls {
                  cert_file: %s
                  key_file: %s
                }
                """
                    .formatted(quoted(files.getFirst()), quoted(files.getLast())))
            .orElse("");
    String tail =
        """

        jetstream {
          store_dir: %s
          # At most 4 GiB of commands, 20 of events, 2 of states; the server uses less if the disk has less.
          max_file_store: %s
        }

        # The trusted operator, and account JWTs. The Uplift server updates them.
        operator: %s
        system_account: %s
        resolver {
          type: full
          dir: %s
          allow_delete: false
        }
        """
            .formatted(
                quoted(dataFolder.resolve("store")),
                maxFileStore,
                quoted(operatorJwt),
                systemAccount,
                quoted(accountsFolder()));
    return head + secured + cluster.map(NatsServerConfig::clusterText).orElse("") + tail;
  }

  private static String clusterText(Cluster cluster) {
    return """

    cluster {
      name: %s
      listen: %s
      routes: [%s]
      # Clients know all servers by their own settings, and may reach them by other addresses than servers do.
      no_advertise: true
    %s}
    """
        .formatted(
            quoted(cluster.name),
            quoted(cluster.listen),
            cluster.routes.stream().map(route -> quoted("nats://" + route)).collect(joining(", ")),
            cluster.advertise.map(address -> "  advertise: " + quoted(address) + "\n").orElse(""));
  }

  /// Returns its folder of account JWTs.
  public Path accountsFolder() {
    return dataFolder.resolve("accounts");
  }

  private static String quoted(Object text) {
    return '"' + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
