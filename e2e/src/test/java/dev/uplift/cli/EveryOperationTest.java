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
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/// Everything that can be done over REST can be typed. What is new in the OpenAPI document fails here until there is a
/// command for it.
class EveryOperationTest {
  /// Asked for by machines alone, each for a reason.
  private static final Map<String, String> NOT_IN_CLI =
      Map.ofEntries(
          Map.entry("redirectToDocumentation", "leads browsers to the documentation"),
          Map.entry("downloadArtifact", "hosts fetch it, with an address that is made for them"),
          Map.entry("headArtifact", "the same"),
          Map.entry("probe", "for load balancers and supervisors; `health` says more"),
          Map.entry("metrics", "for Prometheus"),
          Map.entry("join", "hosts ask, with a token"),
          Map.entry("renew", "hosts ask, with their key"),
          Map.entry("getOsUpgrade", "for programs of another product (decision 0126); `policy show os-upgrade`"),
          Map.entry("putOsUpgrade", "the same"),
          Map.entry("patchOsUpgrade", "the same"),
          Map.entry("deleteOsUpgrade", "the same"),
          Map.entry("getOsUpgradeState", "the same"),
          Map.entry("listOsUpgradeHosts", "the same; `host list` shows more"));

  /// The command line reads every page by itself.
  private static final Set<String> PAGING = Set.of("cursor", "limit");

  private static final String ANSWER =
      """
      {"id":"n","status":"UP","state":"ended","outcome":"upgraded","revision":3,"items":[],
       "plan":{"limits":{},"thresholds":{},"retries":{}}}\
      """;

  private static final String EVENTS =
      """
      id: 9.ended
      event: ended
      data: {"id":"n","state":"ended","outcome":"upgraded"}

      """;

  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();
  private final CommandLine main =
      Main.commandLine().setOut(new PrintWriter(out, true)).setErr(new PrintWriter(err, true));
  private final StubServer stub;

  @TempDir private Path folder;

  EveryOperationTest() throws IOException {
    stub = new StubServer().answerByDefault(200, ANSWER).answerAtPathEnd("/events", 200, EVENTS);
  }

  @BeforeEach
  void files() throws IOException {
    PrivateFile.write(folder.resolve("token"), "secret");
    Files.writeString(folder.resolve("artifact"), "test");
    Files.writeString(
        folder.resolve("release.json"),
        "{\"artifact\":{\"sha256\":" + "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"}}");
    Files.writeString(folder.resolve("release.sig"), "signed");
    for (String key : List.of("owner", "release", "command")) {
      offline("keys create FOLDER/" + key);
    }
    offline(
        "keys root init --folder=FOLDER --tenant=acme --root-key=FOLDER/owner.pem"
            + " --release-key=FOLDER/release.pem --command-key=FOLDER/command.pem");
    offline("keys root sign --folder=FOLDER --key=FOLDER/owner.key.pem");
  }

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void everyOperationHasACommandThatCanSayAllOfIt() {
    for (Operation operation : OpenApiOperations.read().operations()) {
      if (!NOT_IN_CLI.containsKey(operation.id())) {
        assertCanBeTyped(operation);
      }
    }
  }

  @Test
  void noneOfTheseIsOutOfDate() {
    assertThat(OpenApiOperations.read().operations())
        .extracting(Operation::id)
        .containsAll(OperationCommandLines.BY_OPERATION.keySet())
        .containsAll(NOT_IN_CLI.keySet());
  }

  private void assertCanBeTyped(Operation operation) {
    List<String> lines = OperationCommandLines.BY_OPERATION.getOrDefault(operation.id(), List.of());
    assertThat(lines).as("%s: a command line that asks for it", operation).isNotEmpty();
    Set<String> said = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    said.addAll(PAGING);
    for (String line : lines) {
      said.addAll(sentInputs(operation, line));
    }
    if (operation.method().equals("GET")) {
      // It keeps nothing that it could compare with.
      said.add("If-None-Match");
    }
    assertThat(operation.inputs().stream().filter(one -> !said.contains(one)))
        .as("can be said over REST to %s, and not by `uplift`", operation.id())
        .isEmpty();
  }

  /// Every parameter, header and field that a command line said to this operation.
  private Set<String> sentInputs(Operation operation, String line) {
    int before = stub.requests().size();
    int code = uplift(line);
    List<StubServer.Request> asked =
        stub.requests().subList(before, stub.requests().size()).stream()
            .filter(one -> one.method().equals(operation.method()))
            .filter(one -> operation.matchesPath(one.uri().getRawPath()))
            .toList();
    assertThat(asked).as("uplift %s (exit code %d, %s) asks for %s", line, code, err, operation).isNotEmpty();
    assertThat(code).as("uplift %s: %s", line, err).isZero();
    Set<String> said = new TreeSet<>();
    asked.forEach(one -> {
      said.addAll(one.headers().keySet());
      query(one).forEach(said::add);
      fields(one).forEach(said::add);
    });
    return said;
  }

  private static Stream<String> query(StubServer.Request request) {
    String query = request.uri().getRawQuery();
    return query == null ? Stream.empty() : Stream.of(query.split("&", -1)).map(one -> one.replaceAll("=.*", ""));
  }

  private static Stream<String> fields(StubServer.Request request) {
    return request.body().startsWith("{") && RestClient.JSON.readTree(request.body()) instanceof ObjectNode body
        ? body.properties().stream().map(Map.Entry<String, JsonNode>::getKey)
        : Stream.empty();
  }

  private void offline(String line) {
    assertThat(main.execute(line.replace("FOLDER", folder.toString()).split(" ", -1))).isZero();
  }

  private int uplift(String line) {
    List<String> words = new ArrayList<>();
    for (String word : line.split(" ", -1)) {
      words.add(
          word.startsWith("--window=") || word.startsWith("--cron=")
              ? word.replace('_', ' ')
              : word.replace("FOLDER", folder.toString()).replace("ARTIFACT", folder.resolve("artifact").toString()));
    }
    words.add("--url=" + stub.url());
    words.add("--token-file=" + folder.resolve("token"));
    words.add("--tenant=acme");
    return main.execute(words.toArray(String[]::new));
  }
}
