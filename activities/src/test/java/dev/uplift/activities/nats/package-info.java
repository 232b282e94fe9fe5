/// Our end of NATS against a real server.
@NullMarked
package dev.uplift.activities.nats;

import org.jspecify.annotations.NullMarked;
