/// Problem documents (RFC 9457): the one form of every rejection.
///
/// Throw a [ProblemException] that says what was found, where, and what was expected. [ProblemResponseProcessor] turns
/// rejections of the framework into the same form. No input of a client may end in a 500; one that does is a bug and is
/// logged with its stack trace.
@NullMarked
package dev.uplift.api.problem;

import org.jspecify.annotations.NullMarked;
