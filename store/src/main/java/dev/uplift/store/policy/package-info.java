/// The tables of policies. Start at [PolicyRepository]; [PolicyEvaluationRepository] has what the servers find out
/// about them. What a policy asks for is text to this package.
@NullMarked
package dev.uplift.store.policy;

import org.jspecify.annotations.NullMarked;
