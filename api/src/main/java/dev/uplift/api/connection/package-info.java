/// Connections of clients before a request is complete: a client that sends half of one does not hold a connection.
///
/// Start at [RequestDeadline]. Knows nothing of what is requested.
@NullMarked
package dev.uplift.api.connection;

import org.jspecify.annotations.NullMarked;
