/// When a device may be touched: maintenance windows, and what follows from them.
///
/// Start at [Window], as an operator writes it, and [WindowSchedule], which answers for one device: what
/// opens next, whether it is open and how long still, and when an upgrade that takes so long can
/// start. [WindowFields] reads and writes the texts of a window's fields. Within, a window becomes
/// [WindowOccurrences], by a [WallClock]; those of one subject are joined by [IntervalUnion], those of device,
/// labels and rollout cut by [IntervalIntersection].
///
/// The time is always given by the caller, answers reach no further than [WindowSchedule#HORIZON], and
/// equal questions have equal answers for as long as the rules of a zone are the same. Zone rules
/// change with the JDK, so an answer is good for acting on now and is asked for again later; no
/// workflow code may call this. `WindowRulesTest` has the rules as a table with instants written
/// out by hand, `MinuteByMinuteTest` holds them against a clock on the wall, `docs/windows.md` says
/// them to operators.
@NullMarked
package dev.uplift.fleet.window;

import org.jspecify.annotations.NullMarked;
