/// What REST and activities share: services over tables and NATS that know no workflow.
///
/// Holds [Repositories] only; start in the packages below. `ArchitectureTest` checks that nothing
/// here knows Temporal, `workflows` or `activities`.
@NullMarked
package dev.uplift.services;

import org.jspecify.annotations.NullMarked;
