/// Records and reconciler, over real servers.
@NullMarked
package dev.uplift.activities.device;

import org.jspecify.annotations.NullMarked;
