/// Implements the activity interfaces of `workflows`, completes their waits, and starts and signals workflows.
///
/// Start at [ServerLifecycle], which starts and ends all parts. `host`, `device` and `rollout` implement the
/// interfaces, `temporal` holds the clients and the worker. Knows nothing of HTTP.
@NullMarked
package dev.uplift.activities;

import org.jspecify.annotations.NullMarked;
