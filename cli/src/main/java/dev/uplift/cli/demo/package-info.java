/// The demo: four devices, six hosts, one service, upgraded at once on real servers by real agents.
///
/// Start at `DemoCommand`.
@NullMarked
package dev.uplift.cli.demo;

import org.jspecify.annotations.NullMarked;
