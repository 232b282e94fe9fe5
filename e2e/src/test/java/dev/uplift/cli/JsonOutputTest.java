package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.OpenApiOperations.Operation;
import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

/// With `--json` a command prints what the server has answered, as the OpenAPI document describes it, and nothing else.
class JsonOutputTest {
  /// Their output is no response: lines of events, tokens or keys of files, or figures of several responses.
  private static final Set<String> OTHER_OUTPUT =
      Set.of(
          "streamUpgradeEvents",
          "streamRolloutEvents",
          "streamTenantEvents",
          "publishRelease",
          "putArtifact",
          "publishRoot",
          "createRollout",
          "diagnose");

  private final OpenApiResponses responses = OpenApiResponses.read();
  private final List<String> faults = new ArrayList<>();
  private int checked;

  @TempDir private Path folder;

  @Test
  void everyCommandPrintsTheResponseThatTheDocumentDescribes() throws IOException {
    PrivateFile.write(folder.resolve("token"), "secret");
    PrivateFile.write(folder.resolve("release.json"), "{}");
    Files.writeString(folder.resolve("release.json"), "{}");
    for (Operation operation : OpenApiOperations.read().operations()) {
      if (!OTHER_OUTPUT.contains(operation.id())) {
        for (String line : OperationCommandLines.BY_OPERATION.getOrDefault(operation.id(), List.of())) {
          // A dry run of it creates no token to print.
          check(operation, line.startsWith("enrol ") ? line.replace(" --dry-run", "") : line);
        }
      }
    }

    assertThat(faults).isEmpty();
    assertThat(checked).isGreaterThan(50);
  }

  private void check(Operation operation, String line) throws IOException {
    Optional<JsonNode> schema = responses.schema(operation.id());
    String answer = schema.map(responses::example).map(JsonNode::toString).orElse("");
    try (var stub = new StubServer().answerByDefault(answer.isEmpty() ? 204 : 200, answer)) {
      String printed = print(line, stub);
      try {
        checked++;
        schema.ifPresent(found -> compare(line, RestClient.JSON.readTree(printed), found));
        assertThat(RestClient.JSON.readTree(printed).isMissingNode()).as(line).isFalse();
      } catch (JacksonException e) {
        faults.add(line + ": is not JSON: " + printed);
      }
    }
  }

  private void compare(String line, JsonNode printed, JsonNode schema) {
    JsonNode expected = printed.isArray() ? responses.property(schema, "items") : schema;
    responses.faults(printed, expected).forEach(fault -> faults.add(line + ": " + fault));
  }

  private String print(String line, StubServer stub) {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      words.add(word.startsWith("--window=") ? word.replace('_', ' ') : word.replace("FOLDER", folder.toString()));
    }
    words.addAll(List.of("--json", "--url=" + stub.url(), "--token-file=" + folder.resolve("token"), "--tenant=acme"));
    var out = new StringWriter();
    var err = new StringWriter();
    int code =
        Main.commandLine()
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(words.toArray(String[]::new));
    if (code != 0) {
      faults.add(line + ": exit code " + code + ", " + err);
    }
    return out.toString();
  }
}
