package dev.uplift.cli.option;

import dev.uplift.cli.rest.RestClient;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Sets the fields of a request from options. An option that was not given is null or false, and leaves the field as it
/// is.
public record RequestFields(ObjectNode json) {
  public RequestFields() {
    this(RestClient.JSON.createObjectNode());
  }

  public RequestFields put(String field, @Nullable Object value) {
    if (value != null && !value.equals(false)) {
      json.set(field, value instanceof JsonNode node ? node : RestClient.JSON.valueToTree(value));
    }
    return this;
  }

  /// Sets a field of an object within the request, which is created if missing.
  public RequestFields put(String group, String field, @Nullable Object value) {
    if (value != null) {
      new RequestFields(json.withObjectProperty(group)).put(field, value);
    }
    return this;
  }
}
