package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON that a person wrote into a file.
final class JsonFile {
  private JsonFile() {}

  static ObjectNode object(Path file) {
    if (read(file) instanceof ObjectNode object) {
      return object;
    }
    throw CommandFailed.usage(file + ": expected a JSON object");
  }

  static ArrayNode list(Path file) {
    if (read(file) instanceof ArrayNode list) {
      return list;
    }
    throw CommandFailed.usage(file + ": expected a JSON list");
  }

  private static JsonNode read(Path file) {
    try {
      return Rest.JSON.readTree(Files.readAllBytes(file));
    } catch (IOException | JacksonException e) {
      throw new CommandFailed(
          CommandFailed.USAGE, file + " cannot be read (" + e.getMessage() + ")", e);
    }
  }
}
