/// [ServerConnections]: what this process is connected to.
@NullMarked
package dev.uplift.activities.connection;

import org.jspecify.annotations.NullMarked;
