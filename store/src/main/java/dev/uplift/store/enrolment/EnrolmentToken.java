package dev.uplift.store.enrolment;

import dev.uplift.fleet.HostId;
import java.time.Instant;

/// A token that lets a host join.
///
/// @param hash of its secret, which is kept nowhere
/// @param createdBy who made it
public record EnrolmentToken(String tenant, HostId host, String hash, String createdBy, Instant expiresAt) {}
