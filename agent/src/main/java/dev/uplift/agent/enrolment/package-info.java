/// How a host becomes one of the fleet: it makes a key of its own, shows a token, and keeps what it
/// is given.
///
/// Start at [HostEnrolment]. What a host is lies in one folder, [HostIdentity]; the key in it is
/// made on the host and never leaves it. [CredentialsRenewal] keeps it good.
@NullMarked
package dev.uplift.agent.enrolment;

import org.jspecify.annotations.NullMarked;
