/// Which devices somebody means: expressions over a device, in Common Expression Language.
///
/// Start at [Selection]. An expression is compiled and checked where it comes in, so that a mistake
/// is answered with its place; what is stored is its text. Knows nothing of tables: [SelectableDevice] is
/// all that an expression sees of a device.
@NullMarked
package dev.uplift.services.selection;

import org.jspecify.annotations.NullMarked;
