/// What people see: tables, one line per event, and a block that is drawn again in place.
///
/// [Table] for lists, [Screen] for what moves. Colours and redrawing only where a terminal shows
/// them; `NO_COLOR` is honoured. Knows nothing of upgrades.
@NullMarked
package dev.uplift.cli.text;

import org.jspecify.annotations.NullMarked;
