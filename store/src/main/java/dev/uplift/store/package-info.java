/// The tables: what there is, what was ordered, what was said.
///
/// Start at [Database], which opens and migrates them, and at [CommandRepository], the table that makes an
/// upgrade safe to repeat. One class per group of tables, one method per intention, each one
/// transaction. Every row belongs to a tenant, and every question names it, so no answer can cross
/// from one to another.
///
/// Rows hold what was sent and said as the exact text; what it means is known to others. Rows are
/// neither wire messages nor payloads of a workflow and share nothing with them but ids and words
/// of `fleet`. Knows `fleet` and nothing else of ours: `ArchitectureTest` sees to that. The same
/// SQL runs on H2 and on PostgreSQL: every test of this module runs on both.
@NullMarked
package dev.uplift.store;

import org.jspecify.annotations.NullMarked;
