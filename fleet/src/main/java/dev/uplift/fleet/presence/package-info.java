/// What the silence of hosts means.
///
/// Start at [OutageRule]: when many hosts fall silent at the same time, the cause is between them and the server rather
/// than on each of them. The caller counts hosts and passes the time.
@NullMarked
package dev.uplift.fleet.presence;

import org.jspecify.annotations.NullMarked;
