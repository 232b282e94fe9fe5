/// Tests of rollouts on real Temporal, with scripted hosts.
@NullMarked
package dev.uplift.activities.rollout;

import org.jspecify.annotations.NullMarked;
