/// Commands to hosts, created once per [CommandKey], their outcomes, and the heartbeats that activities wait for. Start
/// at [CommandRepository], which makes an upgrade safe to repeat.
@NullMarked
package dev.uplift.store.command;

import org.jspecify.annotations.NullMarked;
