package dev.uplift.api.json;

import tools.jackson.databind.node.ObjectNode;

/// A body that changes some fields of something else: `null` removes a field. It is not checked by itself;
/// [RequestBinder] binds what [#applyTo] returns.
public record MergePatch(ObjectNode json) implements RequestBody {
  /// Returns `whole` with each field of this patch in place of its own.
  public ObjectNode applyTo(ObjectNode whole) {
    ObjectNode patched = whole.deepCopy();
    json.properties()
        .forEach(field -> {
          if (field.getValue().isNull()) {
            patched.remove(field.getKey());
          } else {
            patched.set(field.getKey(), field.getValue());
          }
        });
    return patched;
  }
}
