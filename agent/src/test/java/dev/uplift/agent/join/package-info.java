/// Tests of how a host joins.
@NullMarked
package dev.uplift.agent.join;

import org.jspecify.annotations.NullMarked;
