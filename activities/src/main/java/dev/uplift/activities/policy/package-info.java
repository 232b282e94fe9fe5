/// The work of policies: [PolicyStepsActivities] looks at devices and begins rollouts, [PolicyReconciler] sees to it
/// that each enabled policy has a workflow.
@NullMarked
package dev.uplift.activities.policy;

import org.jspecify.annotations.NullMarked;
