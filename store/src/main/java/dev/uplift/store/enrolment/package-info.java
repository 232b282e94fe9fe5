/// Enrolment tokens, the public keys of hosts, and which of them are revoked. Start at [EnrolmentRepository].
@NullMarked
package dev.uplift.store.enrolment;

import org.jspecify.annotations.NullMarked;
