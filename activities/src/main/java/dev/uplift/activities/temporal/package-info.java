/// The server's connection to Temporal: starts, signals and queries workflows, and completes their waits.
///
/// [UpgradeWorkflowClient] and [RolloutWorkflowClient] start, update, signal and query workflows, [ActivityCompleter]
/// completes waits by id, [TemporalWorker] runs workflows and activities over [TemporalClients]. Exceptions of
/// Temporal's client end here: callers get [TemporalUnavailable] or a result. Knows nothing of NATS and nothing of
/// tables.
@NullMarked
package dev.uplift.activities.temporal;

import org.jspecify.annotations.NullMarked;
