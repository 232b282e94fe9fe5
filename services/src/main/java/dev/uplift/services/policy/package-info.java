/// Policies over the devices of a tenant: which device is where with a policy, what the policy would begin, and which
/// policies apply to a device.
///
/// Start at [PolicyEvaluator]. It reads, and changes nothing; the workflow of the policy acts. Decisions are in
/// [dev.uplift.fleet.policy].
@NullMarked
package dev.uplift.services.policy;

import org.jspecify.annotations.NullMarked;
