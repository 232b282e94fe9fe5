/// PostgreSQL, NATS and Temporal for tests: [dev.uplift.testservers.TestServers] decides whether they are containers or
/// processes, and no test can tell. [dev.uplift.testservers.DocumentedWorker] is what tests of several modules play on
/// hosts.
@NullMarked
package dev.uplift.testservers;

import org.jspecify.annotations.NullMarked;
