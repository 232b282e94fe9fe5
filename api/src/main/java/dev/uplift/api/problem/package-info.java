/// What is said when something is refused: one form, RFC 9457, for everything that can go wrong.
///
/// Throw a [ProblemException] that says what was wrong, where, and what would be right. [ProblemResponseProcessor] turns
/// what the framework refuses by itself into the same form. Nothing that a client sends may end in
/// a 500; one that does is a bug and is logged with its stack trace.
@NullMarked
package dev.uplift.api.problem;

import org.jspecify.annotations.NullMarked;
