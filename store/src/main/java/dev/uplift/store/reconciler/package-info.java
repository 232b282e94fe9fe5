/// The shared state of the reconcilers of all servers: the lease of the one that works, its position, and the failing
/// workflows.
@NullMarked
package dev.uplift.store.reconciler;

import org.jspecify.annotations.NullMarked;
