/// Finds, builds and packs the programs that a stack runs: server binaries, Uplift's own programs, and versions of the
/// agent.
///
/// Start at [ProgramLocator]. [ServerBinaries] finds or builds Temporal and nats-server.
@NullMarked
package dev.uplift.temporaldev.programs;

import org.jspecify.annotations.NullMarked;
