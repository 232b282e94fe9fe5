/// The workflow of a barrier: halt all, migrate, resume. Start at [BarrierImpl], which reads as the procedure; its rows
/// are in the tables, where REST reads them.
@NullMarked
package dev.uplift.workflows.barrier;

import org.jspecify.annotations.NullMarked;
