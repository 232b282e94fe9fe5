package dev.uplift.cli.nats;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// The configuration of a nats-server, for a local stack and for production. Who may log in, and
/// what for, is said by tickets; what accounts may do lies in a folder, and changes while it runs.
///
/// @param listen address and port
/// @param dataFolder folder of JetStream and of what accounts may do
/// @param operatorJwt file of whom it believes
/// @param systemAccount public name of the account from which it is told what accounts may do
/// @param tls certificate with its chain, and key; none where it does not speak TLS
/// @param maxFileStore bytes that streams may take on the disk
public record NatsServerConfig(
    String name,
    String listen,
    Path dataFolder,
    Path operatorJwt,
    String systemAccount,
    Optional<List<Path>> tls,
    String maxFileStore) {

  public String toText() {
    String head =
        """
        server_name: %s
        listen: %s
        # The list of hosts' keys that are good no more is one message, of 100 bytes each.
        max_payload: 8MB
        """
            .formatted(quoted(name), quoted(listen));
    String secured =
        tls.map(files ->
                """

                # Certificate and its chain, up to the authority that hosts are given, and the key.
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
          # Commands 4 GiB, events 20, states 2 at most; a server takes less where there is less.
          max_file_store: %s
        }

        # Whom it believes, and what it was told about accounts. The server tells it more.
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
    return head + secured + tail;
  }

  /// Where it keeps what it knows of accounts.
  public Path accountsFolder() {
    return dataFolder.resolve("accounts");
  }

  private static String quoted(Object text) {
    return '"' + text.toString().replace("\\", "\\\\").replace("\"", "\\\"") + '"';
  }
}
