/// The steps of an upgrade on a host, over NATS.
///
/// [HostStepsActivities] sends an order and lets go; [EventConsumer] hears the answer and ends the wait, and
/// so does [HeartbeatAwaiter] for a wait for a heartbeat. They share nothing but the tables, so either may
/// be killed at any moment, and any number of them may run.
@NullMarked
package dev.uplift.activities.host;

import org.jspecify.annotations.NullMarked;
