/// The steps of an upgrade on a host, over NATS.
///
/// [HostStepsActivities] publishes a command and returns without completing the activity; [EventConsumer] completes it
/// when the host has answered, [HeartbeatAwaiter] when a heartbeat shows what is awaited. They share nothing but the
/// tables, so each may be killed at any moment, and any number of them may run.
@NullMarked
package dev.uplift.activities.host;

import org.jspecify.annotations.NullMarked;
