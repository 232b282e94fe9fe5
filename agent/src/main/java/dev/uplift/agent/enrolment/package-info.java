/// Enrols a host with a token, and keeps its credentials valid.
///
/// Start at [HostEnrolment]. The identity of a host is one folder, [HostIdentity]; the key in it is generated on the
/// host and never leaves it. [CredentialsRenewal] renews its user JWT.
@NullMarked
package dev.uplift.agent.enrolment;

import org.jspecify.annotations.NullMarked;
