/// Test helpers: the real application on a port of its own, REST and SSE clients, stub hosts. Start at [TestServer].
@NullMarked
package dev.uplift.api.testing;

import org.jspecify.annotations.NullMarked;
