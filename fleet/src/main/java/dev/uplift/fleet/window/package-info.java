/// When a device may be changed: maintenance windows, and what follows from them.
///
/// Start at [Window], as an operator defines it, and [WindowSchedule], which computes for one device: the next
/// openings, whether it is open now and for how long, and when an upgrade that takes so long can start. [WindowFields]
/// parses and formats the fields of a window. Internally a window becomes [WindowOccurrences], by a [WallClock];
/// [IntervalSequence] unites those of one source, and intersects those of device, labels and rollout.
///
/// The caller always passes the time, results reach no further than [WindowSchedule#HORIZON], and equal arguments have
/// equal results as long as the rules of a zone are the same. Zone rules change with the JDK, so a result is valid for
/// acting on now and is computed again later; no workflow code may call this. `WindowRulesTest` has the rules as a
/// table with instants written out by hand, `MinuteByMinuteTest` compares them with a simulated wall clock,
/// `docs/windows.md` explains them to operators.
@NullMarked
package dev.uplift.fleet.window;

import org.jspecify.annotations.NullMarked;
