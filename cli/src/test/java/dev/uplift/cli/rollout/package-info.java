/// What people see of rollouts.
@NullMarked
package dev.uplift.cli.rollout;

import org.jspecify.annotations.NullMarked;
