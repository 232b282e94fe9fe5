/// Hosts: what each last said of itself, and whether it is there now. Start at [HostController].
///
/// The tables have what was said; presence, in the memory of each server, has who beats now.
@NullMarked
package dev.uplift.api.hosts;

import org.jspecify.annotations.NullMarked;
