/// Barriers: a package halts on many hosts, something that they share is migrated, and they resume. Start at
/// [BarrierDecision], which says what follows from how many have halted; `docs/barriers.md` is the procedure.
@NullMarked
package dev.uplift.fleet.barrier;

import org.jspecify.annotations.NullMarked;
