/// Expressions that select devices, in Common Expression Language (CEL).
///
/// Start at [Selection]. An expression is compiled and checked when it is submitted, so that an error is reported with
/// its position; its text is stored. Knows nothing of tables: [SelectableDevice] is all that an expression sees of a
/// device.
@NullMarked
package dev.uplift.services.selection;

import org.jspecify.annotations.NullMarked;
