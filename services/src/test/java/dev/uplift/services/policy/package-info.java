/// Policies over devices in tables in memory.
@NullMarked
package dev.uplift.services.policy;

import org.jspecify.annotations.NullMarked;
