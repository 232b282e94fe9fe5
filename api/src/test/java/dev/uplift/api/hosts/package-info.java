/// What is shown of hosts.
@NullMarked
package dev.uplift.api.hosts;

import org.jspecify.annotations.NullMarked;
