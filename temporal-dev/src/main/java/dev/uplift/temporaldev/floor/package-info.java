/// The program that `bench floor` measures Temporal with: workflows that only wait. Runs as a process of its own, with
/// the Temporal SDK of the server's program.
@NullMarked
package dev.uplift.temporaldev.floor;

import org.jspecify.annotations.NullMarked;
