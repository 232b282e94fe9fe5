/// Keys, certificates, passwords and tokens of a stack, made at its first start and kept in its folder.
///
/// Start at [StackSecrets].
@NullMarked
package dev.uplift.temporaldev.secrets;

import org.jspecify.annotations.NullMarked;
