/// The steps of an upgrade on a host, over NATS.
///
/// [HostStepsOverNats] sends an order and lets go; [Bridge] hears the answer and ends the wait, and
/// so does [Lookout] for a wait for a heartbeat. They share nothing but the tables, so either may
/// be killed at any moment, and any number of them may run.
@NullMarked
package dev.uplift.activities.host;

import org.jspecify.annotations.NullMarked;
