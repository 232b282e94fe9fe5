/// Tests of heartbeats and presence, on a real server.
@NullMarked
package dev.uplift.services.presence;

import org.jspecify.annotations.NullMarked;
