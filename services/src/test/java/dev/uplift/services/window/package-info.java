/// Windows as rows keep them.
@NullMarked
package dev.uplift.services.window;

import org.jspecify.annotations.NullMarked;
