/// Admits hosts, renews and revokes their credentials, and publishes revocations to NATS.
///
/// Start at [EnrolmentService]. The tables say which keys may log in; NATS learns it from the JWTs that hosts are
/// given, and from the claims of the account of all hosts ([RevocationPublisher]).
@NullMarked
package dev.uplift.services.enrolment;

import org.jspecify.annotations.NullMarked;
