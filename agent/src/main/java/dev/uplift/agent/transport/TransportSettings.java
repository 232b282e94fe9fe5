package dev.uplift.agent.transport;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// How to connect to NATS.
///
/// @param url one address or several, separated by commas; `tls://` for TLS
/// @param credentials file with user JWT and key, read again for every login, so that it may change
/// @param user if NATS asks for a password instead
/// @param passwordFile read again for every new connection, so that a password may change
/// @param inboxPrefix prefix of the subjects for replies, without a dot at its end
/// @param connectionName of the connection, shown by the server
/// @param reconnectsFast whether another agent waits for this one to connect; asked before each try
public record TransportSettings(
    String url,
    Optional<Path> credentials,
    String user,
    Optional<Path> passwordFile,
    String inboxPrefix,
    String connectionName,
    BooleanSupplier reconnectsFast) {}
