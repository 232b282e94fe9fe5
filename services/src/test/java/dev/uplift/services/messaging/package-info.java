/// Tests of the server's NATS connection, on a real server.
@NullMarked
package dev.uplift.services.messaging;

import org.jspecify.annotations.NullMarked;
