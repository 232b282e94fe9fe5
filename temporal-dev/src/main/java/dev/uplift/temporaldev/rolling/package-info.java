/// Servers of two builds, exchanged one by one under running work, and what must hold all the same.
///
/// Start at [RollingUpgradeRunner].
@NullMarked
package dev.uplift.temporaldev.rolling;

import org.jspecify.annotations.NullMarked;
