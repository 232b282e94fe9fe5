/// The time-outs of steps that an upgrade, a rollout or a release asks for.
///
/// Which of them counts decides [dev.uplift.activities.temporal.StepTimeoutResolver].
@NullMarked
package dev.uplift.api.timeouts;

import org.jspecify.annotations.NullMarked;
