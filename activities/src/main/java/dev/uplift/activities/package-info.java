/// What the workflows need from the world: NATS, tables, Temporal itself.
///
/// Start at [ActivitiesFactory], which puts all parts together. `nats` and `temporal` are our ends of the two
/// servers, `presence` is what is heard of hosts, `host` and `device` fulfil the interfaces of the
/// workflows. Knows nothing of HTTP: the server's `main` is elsewhere.
@NullMarked
package dev.uplift.activities;

import org.jspecify.annotations.NullMarked;
