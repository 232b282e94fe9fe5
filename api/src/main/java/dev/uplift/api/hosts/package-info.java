/// Hosts: what each last reported, and whether it is online. Start at [HostController].
///
/// Reports are in the tables; presence is in the memory of each server.
@NullMarked
package dev.uplift.api.hosts;

import org.jspecify.annotations.NullMarked;
