/// The command `uplift` of a clone: [DevCommand] adds `demo`, `up`, `bench` and `agent` to the operator's commands. The
/// packages below are these commands and the local stack that they start.
@NullMarked
package dev.uplift.temporaldev;

import org.jspecify.annotations.NullMarked;
