package dev.uplift.activities.connection;

import dev.uplift.activities.temporal.TemporalClients;
import dev.uplift.services.messaging.NatsConnection;
import dev.uplift.services.messaging.RejectedMessages;
import dev.uplift.services.presence.Presence;

/// What this process is connected to, and what it hears there.
public record ServerConnections(
    NatsConnection nats,
    TemporalClients temporal,
    Presence presence,
    RejectedMessages rejectedMessages) {}
