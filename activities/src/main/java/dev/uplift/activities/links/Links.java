package dev.uplift.activities.links;

import dev.uplift.activities.nats.NatsLink;
import dev.uplift.activities.nats.Refusals;
import dev.uplift.activities.presence.Presence;
import dev.uplift.activities.temporal.TemporalLink;

/// What this process is connected to, and what it hears there.
public record Links(NatsLink nats, TemporalLink temporal, Presence presence, Refusals refusals) {}
