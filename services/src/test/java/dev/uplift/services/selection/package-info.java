/// What expressions over devices are true of.
@NullMarked
package dev.uplift.services.selection;

import org.jspecify.annotations.NullMarked;
