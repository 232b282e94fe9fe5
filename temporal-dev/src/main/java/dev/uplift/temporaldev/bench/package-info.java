/// The cost of an upgrade: the whole stack on this machine, with simulated hosts, measured from outside.
///
/// Start at [UpgradeBench]. CPU time and memory come from the kernel (`/proc`), times of commands from the server (`GET
/// upgrades/{id}`), events from Temporal. Nothing is measured inside the measured programs.
@NullMarked
package dev.uplift.temporaldev.bench;

import org.jspecify.annotations.NullMarked;
