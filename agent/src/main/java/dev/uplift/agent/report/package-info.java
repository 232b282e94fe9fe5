/// The agent's messages: answers to commands, heartbeats and infos; and the server's time, which it learns by
/// publishing.
///
/// Start at [HeartbeatPublisher] and [EventPublisher]. An outcome is stored before it is published, and is published
/// until the server has confirmed it.
@NullMarked
package dev.uplift.agent.report;

import org.jspecify.annotations.NullMarked;
