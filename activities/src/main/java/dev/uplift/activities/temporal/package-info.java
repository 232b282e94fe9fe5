/// Our end of Temporal: how upgrades are started, steered and asked, and how waits are ended.
///
/// Start at [TemporalClients]; [UpgradeStarter] and [UpgradeWorkflowClient] are what the REST interface needs,
/// [ActivityCompleter] is what the bridge needs. What Temporal's client throws ends here: others meet
/// [TemporalUnavailable] or one of the few answers that are no trouble at all. Knows nothing of NATS and
/// nothing of tables.
@NullMarked
package dev.uplift.activities.temporal;

import org.jspecify.annotations.NullMarked;
