package dev.uplift.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.programs.UpliftHome;
import dev.uplift.temporaldev.stack.Stack;
import dev.uplift.testservers.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Schemathesis sends requests that it generates from the OpenAPI document, and finds every answer that is not as the
/// document says: a valid request that is refused, an invalid one that is accepted, a status, header or field that is
/// not in the document, a server error. `.ci/schemathesis` runs it, `.ci/schemathesis_accepted.py` has the findings
/// that are accepted.
@Timeout(600)
@EnabledIfSystemProperty(named = "schemathesis", matches = ".+", disabledReason = ".ci/schemathesis runs it")
final class GeneratedRequestsTest {
  private static final Path CI = UpliftHome.find().resolve(".ci");
  private static final Stack STACK = TestServers.stack().tls().open();

  @BeforeAll
  static void start() {
    var _ =
        STACK
            .server()
            .environment("UPLIFT_ENROLMENT_REQUESTS_PER_MINUTE", "1000000")
            .environment("UPLIFT_ENROLMENT_REQUESTS_PER_MINUTE_PER_ADDRESS", "1000000");
    STACK.start();
    ExampleTenant.create(STACK);
  }

  @AfterAll
  static void stop() {
    STACK.close();
  }

  /// The admin comes last, because it also deletes.
  @ParameterizedTest
  @ValueSource(strings = {"nobody", "viewer", "admin"})
  void everyAnswerIsAsTheDocumentSays(String role) throws Exception {
    Path folder = Files.createDirectory(STACK.folder().resolve("schemathesis-" + role));
    Path report = folder.resolve("report");
    var schemathesis =
        new ProcessBuilder(command(role))
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(report.toFile());
    schemathesis.environment().put("PYTHONPATH", CI.toString());
    schemathesis.environment().put("PYTHONDONTWRITEBYTECODE", "1");

    assertThat(exitCode(schemathesis)).as(findings(report)).isZero();
  }

  /// Leaves no process behind if the test times out.
  private static int exitCode(ProcessBuilder program) throws IOException, InterruptedException {
    Process process = program.start();
    try {
      return process.waitFor();
    } finally {
      process.destroyForcibly();
    }
  }

  private static List<String> command(String role) {
    List<String> command = new ArrayList<>();
    command.add(System.getProperty("schemathesis"));
    command.addAll(List.of("--config-file", CI.resolve("schemathesis.toml").toString()));
    command.addAll(List.of("run", STACK.server().url() + "/swagger/uplift.yml"));
    if (!role.equals("nobody")) {
      command.addAll(List.of("--header", "Authorization: Bearer " + STACK.tokens().forRole(role)));
    }
    return command;
  }

  private static String findings(Path report) throws IOException {
    return Files.readString(report).replaceAll("Bearer [\\w.-]+", "Bearer …");
  }
}
