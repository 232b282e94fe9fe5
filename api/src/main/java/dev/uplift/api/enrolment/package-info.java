/// How hosts join the fleet, stay in it and leave it. Start at [EnrolmentController] for people, and at
/// [JoinController] for hosts.
///
/// A host has no bearer token: the secret of a one-time token admits it, its own key keeps it there.
@NullMarked
package dev.uplift.api.enrolment;

import org.jspecify.annotations.NullMarked;
