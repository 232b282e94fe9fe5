/// Versions of packages on hosts: what each host runs, what it ran before and since when, and how many hosts ran which
/// version on which day. Start at [HostVersionRepository].
@NullMarked
package dev.uplift.store.version;

import org.jspecify.annotations.NullMarked;
