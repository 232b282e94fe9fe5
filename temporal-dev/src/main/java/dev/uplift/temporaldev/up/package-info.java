/// The stack on this machine: `up` keeps one running, `agent` plays a host of it by hand.
///
/// The stack itself, processes and folders, is [dev.uplift.temporaldev.stack.Stack]; here is what a
/// person sees of it. The demo and the bench start their servers with [StackStarter], too.
@NullMarked
package dev.uplift.temporaldev.up;

import org.jspecify.annotations.NullMarked;
