/// Lets hosts in, and out: tickets for their keys, and the list of keys that are good no more.
///
/// Start at [EnrolmentService]. Who may log in stands in the tables; NATS is told of it by tickets, and by
/// the claims of the account that all hosts are in ([RevocationPublisher]).
@NullMarked
package dev.uplift.services.enrolment;

import org.jspecify.annotations.NullMarked;
