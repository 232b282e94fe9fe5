/// The real application, started for tests, and what is needed to call it. Start at [TestServer].
@NullMarked
package dev.uplift.api.testing;

import org.jspecify.annotations.NullMarked;
