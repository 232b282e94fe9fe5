/// How a host becomes one of the fleet: it makes a key of its own, shows a token, and keeps what it
/// is given.
///
/// Start at [Joining]. What a host is lies in one folder, [Identity]; the key in it is made on the
/// host and never leaves it. [Renewal] keeps it good.
@NullMarked
package dev.uplift.agent.join;

import org.jspecify.annotations.NullMarked;
