/// Steps, event consumer and heartbeat waits, over real servers.
@NullMarked
package dev.uplift.activities.host;

import org.jspecify.annotations.NullMarked;
