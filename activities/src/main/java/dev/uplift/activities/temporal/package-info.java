/// The server's connection to Temporal: starts, signals and queries workflows, and completes their
/// waits.
///
/// Start at [TemporalClients]; [UpgradeStarter] and [UpgradeWorkflowClient] are for the REST
/// interface, [ActivityCompleter] completes waits by id. Exceptions of Temporal's client end here:
/// callers get [TemporalUnavailable] or a result. Knows nothing of NATS and nothing of tables.
@NullMarked
package dev.uplift.activities.temporal;

import org.jspecify.annotations.NullMarked;
