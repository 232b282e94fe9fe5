/// The server: REST, page, security, and its main.
///
/// Start at [Server]. One program, two roles: `api` answers people, `worker` carries upgrades out; a process has one of
/// them or both.
@NullMarked
package dev.uplift.api;

import org.jspecify.annotations.NullMarked;
