/// Health of this process and its dependencies, for probes. Start at [ProbeEndpoint].
@NullMarked
package dev.uplift.api.health;

import org.jspecify.annotations.NullMarked;
