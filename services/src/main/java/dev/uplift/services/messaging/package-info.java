/// Our end of NATS: the connection, the streams, and the slot in which a host's command waits.
///
/// Start at [NatsConnection], which is never given up, and [StreamProvisioner], the one place that says what is
/// kept for how long. [LatestCommandStream] puts a command where its host looks for it. Knows nothing of
/// Temporal and nothing of tables: what is sent and heard is bytes with a name here.
@NullMarked
package dev.uplift.services.messaging;

import org.jspecify.annotations.NullMarked;
