/// Tests of expressions over devices.
@NullMarked
package dev.uplift.services.selection;

import org.jspecify.annotations.NullMarked;
