package dev.uplift.api.releases;

import dev.uplift.api.json.RequestBody;
import dev.uplift.api.json.TextForm;
import io.micronaut.core.annotation.Introspected;

/// A release to publish.
///
/// @param release the exact text that is signed, a JSON object of at most 12 KiB, line breaks included
/// @param signature of that text, one line per release key, as `uplift release sign` and `uplift keys sign` write it
@Introspected
record PublishReleaseRequest(
    @TextForm(TextForm.Form.EXACT) String release, @TextForm(TextForm.Form.EXACT) String signature)
    implements RequestBody {}
