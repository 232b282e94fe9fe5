/// The local stack: real servers and agents as processes, started, awaited and ended. The demo,
/// `up`, the bench and the end-to-end tests all use this one piece.
///
/// Start at [Stack]. It lives in a folder and consists of [StackProcess]s, each of which can be killed and
/// started again alone. [ServerBinaries] finds or builds the server programs; [Reaper] ends what is left
/// when this JVM dies.
///
/// Knows programs, files and environment variables, and nothing of Uplift's types: what it starts
/// is what a person would start by hand. `ArchitectureTest` sees to that; `StackTest`, `ReaperTest`
/// and `NatsAccountsTest` hold its promises on the real servers.
@NullMarked
package dev.uplift.temporaldev;

import org.jspecify.annotations.NullMarked;
