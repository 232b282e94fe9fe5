/// Windows as rows keep them.
@NullMarked
package dev.uplift.activities.window;

import org.jspecify.annotations.NullMarked;
