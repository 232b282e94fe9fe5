/// Services over tables and NATS, shared by REST and activities, without workflows.
///
/// Holds [Repositories] and [ServiceBeans]; start in the packages below. `ArchitectureTest` checks that nothing here
/// knows Temporal, `workflows` or `activities`.
@NullMarked
package dev.uplift.services;

import org.jspecify.annotations.NullMarked;
