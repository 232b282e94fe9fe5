/// Terminal output: tables, one line per event, and a block that is redrawn in place.
///
/// [Table] prints lists, [Screen] redraws. Colours and redrawing are used only on a terminal; `NO_COLOR` is honoured.
/// Knows nothing of upgrades.
@NullMarked
package dev.uplift.cli.text;

import org.jspecify.annotations.NullMarked;
