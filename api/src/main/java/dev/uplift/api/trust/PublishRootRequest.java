package dev.uplift.api.trust;

import dev.uplift.api.json.RequestBody;
import dev.uplift.api.json.TextForm;
import io.micronaut.core.annotation.Introspected;

/// A trust root to publish.
///
/// @param root the exact text that is signed, a JSON object of at most 8 KiB, line breaks included
/// @param signature of that text, one line per root key, as `uplift keys root sign` writes it
@Introspected
record PublishRootRequest(@TextForm(TextForm.Form.EXACT) String root, @TextForm(TextForm.Form.EXACT) String signature)
    implements RequestBody {}
