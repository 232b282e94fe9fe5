/// Writes and reads the JSON of messages without a library (decision 0053), and knows no message.
///
/// Start at [JsonWriter] and [JsonObject]. Equal messages are equal bytes; a value that is missing or of the wrong kind
/// is a [MalformedMessage] that names the field.
@NullMarked
package dev.uplift.protocol.json;

import org.jspecify.annotations.NullMarked;
