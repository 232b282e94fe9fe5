/// The server's connection to NATS, the streams and their limits, the latest command of each host, and the loops that
/// read streams.
///
/// Start at [NatsConnection], which reconnects for ever, and [StreamProvisioner], which says what each stream keeps for
/// how long. [LatestCommandStream] publishes a command where its host reads it. Knows nothing of Temporal and nothing
/// of tables: messages are bytes with a subject here.
@NullMarked
package dev.uplift.services.messaging;

import org.jspecify.annotations.NullMarked;
