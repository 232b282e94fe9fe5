/// Tests of how a host joins.
@NullMarked
package dev.uplift.agent.enrolment;

import org.jspecify.annotations.NullMarked;
