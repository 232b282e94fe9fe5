/// Answers why a device is not, not yet or no longer being upgraded.
///
/// Start at [WhyController]. The answer is composed in `fleet` from facts that `services` loads; what a running upgrade
/// does is asked of its workflow by [RunningUpgradeReader].
@NullMarked
package dev.uplift.api.why;

import org.jspecify.annotations.NullMarked;
