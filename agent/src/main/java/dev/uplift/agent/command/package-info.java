/// What one agent does for one host: looks for commands, checks them, has them carried out,
/// answers, beats.
///
/// Start at [HostAgent], which puts the parts together. A bell wakes the [CommandReader], who reads
/// the slot in which the newest command lies; the [CommandValidator] decides what may become of it;
/// the [CommandDispatcher] sees to it; the [CommandWorker] carries out one command at a time; the
/// [EventOutbox] brings the answers to the server for as long as it takes; the [HeartbeatPublisher]
/// beats.
///
/// What rang is never acted on, only what was read and signed. What is not written down may be
/// forgotten at any moment: intent before acting, answer before saying so.
@NullMarked
package dev.uplift.agent.command;

import org.jspecify.annotations.NullMarked;
