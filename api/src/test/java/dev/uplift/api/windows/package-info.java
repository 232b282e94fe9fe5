/// Tests of label windows.
@NullMarked
package dev.uplift.api.windows;

import org.jspecify.annotations.NullMarked;
