/// The local stack: nats-server, Temporal, Uplift servers and hosts as processes. The demo, `up`, the bench and the
/// end-to-end tests all use it.
///
/// Start at [Stack]. It lives in a folder and consists of [StackProcess]es, each of which can be stopped, killed and
/// started alone.
///
/// Knows programs, files and environment variables, but no types of Uplift's server or agent: it starts what a person
/// would start by hand. `ArchitectureTest` enforces that; `StackTest` and `NatsAccountsTest` check its promises on the
/// real servers.
@NullMarked
package dev.uplift.temporaldev.stack;

import org.jspecify.annotations.NullMarked;
