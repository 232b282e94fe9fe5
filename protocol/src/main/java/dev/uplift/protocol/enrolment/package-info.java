/// The messages by which a host enrols, and renews its credentials.
///
/// Start at [JoinToken]. The host generates its own key and proves with each request that it has it; the key itself
/// never leaves the host.
@NullMarked
package dev.uplift.protocol.enrolment;

import org.jspecify.annotations.NullMarked;
