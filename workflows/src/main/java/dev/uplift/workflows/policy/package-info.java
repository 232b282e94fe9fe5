/// A policy as a workflow: it waits until something has changed that may concern it, has its devices looked at, and
/// begins the rollouts that follow.
///
/// Start at [PolicyEnforcementImpl]; a [PolicyRun] is what a Temporal Schedule starts. The tables know which devices
/// there are and what is begun: neither state nor history grows with the fleet, and a run that is long continues as
/// new.
///
/// Every type here is in stored histories: from version 0.1.0 on fields may be added, never renamed or removed.
@NullMarked
package dev.uplift.workflows.policy;

import org.jspecify.annotations.NullMarked;
