package dev.uplift.agent.transport;

import java.nio.file.Path;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/// Where NATS is and who we are there.
///
/// @param url one address or several, separated by commas; `tls://` for TLS
/// @param credentials file with ticket and key, read again for every login, so that it may change
/// @param user where NATS asks for a password instead
/// @param passwordFile read again for every new connection, so that a password may change
/// @param inboxPrefix begin of the subjects on which answers come, without a dot at its end
/// @param connectionName of the connection, for who looks at the server
/// @param reconnectsFast whether somebody waits for just this one to find NATS; asked before each
///   try
public record TransportSettings(
    String url,
    Optional<Path> credentials,
    String user,
    Optional<Path> passwordFile,
    String inboxPrefix,
    String connectionName,
    BooleanSupplier reconnectsFast) {}
