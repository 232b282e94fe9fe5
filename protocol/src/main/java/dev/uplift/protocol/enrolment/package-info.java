/// How a host becomes one of the fleet, and stays one: what it is told, what it asks for, and what
/// it is given.
///
/// Start at [JoinToken]. The host makes its own key and proves with each request that it has it;
/// the key itself never leaves it.
@NullMarked
package dev.uplift.protocol.enrolment;

import org.jspecify.annotations.NullMarked;
