package dev.uplift.cli.option;

import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// JSON that a person wrote into a file.
public final class JsonFile {
  private JsonFile() {}

  public static ObjectNode readObject(Path file) {
    if (readTree(file) instanceof ObjectNode object) {
      return object;
    }
    throw CliException.usageError(file + ": expected a JSON object");
  }

  public static ArrayNode readList(Path file) {
    if (readTree(file) instanceof ArrayNode list) {
      return list;
    }
    throw CliException.usageError(file + ": expected a JSON list");
  }

  private static JsonNode readTree(Path file) {
    try {
      return RestClient.JSON.readTree(Files.readAllBytes(file));
    } catch (IOException | JacksonException e) {
      throw new CliException(
          CliException.USAGE, file + " cannot be read (" + e.getMessage() + ")", e);
    }
  }
}
