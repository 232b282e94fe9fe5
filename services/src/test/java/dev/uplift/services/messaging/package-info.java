/// Our end of NATS against a real server.
@NullMarked
package dev.uplift.services.messaging;

import org.jspecify.annotations.NullMarked;
