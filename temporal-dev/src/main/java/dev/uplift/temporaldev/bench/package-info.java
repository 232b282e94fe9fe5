/// What an upgrade costs: the whole stack on this machine, with simulated hosts, measured from the
/// outside.
///
/// Start at [UpgradeBench]. Processor time and memory are the kernel's figures (`/proc`), times of
/// commands the server's (`GET upgrades/{id}`), events Temporal's. Nothing is measured inside the
/// programs that are measured.
@NullMarked
package dev.uplift.temporaldev.bench;

import org.jspecify.annotations.NullMarked;
