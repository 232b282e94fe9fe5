/// Tests of connections, with sockets.
@NullMarked
package dev.uplift.api.connection;

import org.jspecify.annotations.NullMarked;
