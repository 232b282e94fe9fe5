/// The trust roots of each tenant; append-only. Start at [TrustRootRepository].
@NullMarked
package dev.uplift.store.trust;

import org.jspecify.annotations.NullMarked;
