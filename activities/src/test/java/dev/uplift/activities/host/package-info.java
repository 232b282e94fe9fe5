/// Steps, bridge and lookout, over real servers.
@NullMarked
package dev.uplift.activities.host;

import org.jspecify.annotations.NullMarked;
