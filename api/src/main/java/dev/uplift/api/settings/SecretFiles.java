package dev.uplift.api.settings;

import java.nio.file.Path;
import java.util.Optional;

/// The files of secrets that are read again when they change; empty where there is none.
///
/// @param issuers whose tokens are accepted
/// @param hostAuthorities certificates of the authorities that hosts are told
record SecretFiles(
    Optional<Path> databasePassword,
    Optional<Path> temporalApiKey,
    Optional<Path> tokenSecret,
    Optional<Path> issuers,
    Path artifacts,
    Optional<Path> hostAuthorities) {}
