/// Tests of server-sent events.
@NullMarked
package dev.uplift.api.events;

import org.jspecify.annotations.NullMarked;
