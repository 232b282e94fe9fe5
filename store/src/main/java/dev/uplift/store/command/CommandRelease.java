package dev.uplift.store.command;

import java.util.Optional;

/// What a command has of its release, as it is recorded now: signatures change with keys.
///
/// @param manifest of `release.json`, exactly as it is signed
/// @param signature the text of `release.sig`
/// @param digest SHA-256 in hex of the file that hosts fetch; empty for kinds without one
public record CommandRelease(String manifest, String signature, Optional<String> digest) {}
