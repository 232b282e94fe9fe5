/// What expressions over devices are true of.
@NullMarked
package dev.uplift.activities.selection;

import org.jspecify.annotations.NullMarked;
