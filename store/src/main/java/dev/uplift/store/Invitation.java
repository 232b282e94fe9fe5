package dev.uplift.store;

import dev.uplift.fleet.HostId;
import java.time.Instant;

/// A token that lets a host join.
///
/// @param hash of its secret, which is kept nowhere
/// @param by who made it
public record Invitation(String tenant, HostId host, String hash, String by, Instant expires) {}
