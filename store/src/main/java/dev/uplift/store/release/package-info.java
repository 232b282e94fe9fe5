/// Signed releases, exactly as they were published. Start at [ReleaseRepository].
@NullMarked
package dev.uplift.store.release;

import org.jspecify.annotations.NullMarked;
