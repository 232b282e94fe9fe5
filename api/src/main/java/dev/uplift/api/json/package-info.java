/// Reads what clients send. Every fault of a body is found and told at once: unknown fields, wrong
/// types, what is missing, what is out of bounds, each with its place and what would be right.
///
/// Start at [JsonBody]. Requests are not bound to classes by a mapper, which stops at the first fault
/// and speaks of classes.
@NullMarked
package dev.uplift.api.json;

import org.jspecify.annotations.NullMarked;
