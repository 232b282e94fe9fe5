/// Binds and checks the bodies of requests. Every fault of a body is reported at once, with its JSON pointer and what
/// would be right: unknown fields, wrong types, missing fields, violated constraints.
///
/// Start at [RequestBody] and [RequestBinder].
@NullMarked
package dev.uplift.api.json;

import org.jspecify.annotations.NullMarked;
