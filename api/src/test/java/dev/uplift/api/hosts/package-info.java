/// Tests of hosts and their instances.
@NullMarked
package dev.uplift.api.hosts;

import org.jspecify.annotations.NullMarked;
