package dev.uplift.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class TokenCommandsTest extends CommandScenario {
  @BeforeEach
  void answerForEveryTenant() {
    stub.answerByDefault(200, "{\"tenant\":\"*\"}");
  }

  @Test
  void aTokenIsRevokedByTheIdInItsFile() {
    Path lost = folder.resolve("lost");
    PrivateFile.write(lost, "e30." + encode("{\"sub\":\"ann\",\"jti\":\"t-1\"}") + ".c2ln");

    assertThat(token("revoke", "--file", lost.toString(), "--reason", "lost laptop")).isZero();

    assertThat(out.toString()).contains("revoked token t-1 in every tenant");
    assertThat(stub.requests().getLast().body()).contains("t-1", "lost laptop").doesNotContain("ann");
  }

  @Test
  void aTokenOfAScriptIsWrittenToAFileWithWhichTheScriptLogsInAndIsRevoked() throws IOException {
    stub.answerByDefault(
        201,
        """
        {"id":"0123456789abcdef","name":"ci","role":"viewer","expires_at":"2026-12-24T00:00:00Z",
         "token":"uplift_0123456789abcdef_secret_1"}\
        """);
    Path file = folder.resolve("ci");

    assertThat(token("create", "ci", "--role=viewer", "--valid-for=12h", "--output", file.toString())).isZero();

    assertThat(file).content().isEqualTo("uplift_0123456789abcdef_secret_1\n");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file))).isEqualTo("rw-------");
    assertThat(out.toString())
        .contains("token 0123456789abcdef of ci, viewer, until 2026-12-24T00:00:00Z")
        .doesNotContain("secret");
    assertThat(stub.requests().getLast().body()).contains("43200", "\"ci\"", "\"viewer\"");

    stub.answerByDefault(200, "{\"tenant\":\"acme\"}");
    assertThat(token("revoke", "--file", file.toString())).isZero();
    assertThat(stub.requests().getLast().body()).contains("\"0123456789abcdef\"").doesNotContain("secret");
  }

  @Test
  void noFileStaysOfATokenThatWasNotCreated() {
    stub.answerByDefault(403, "{\"title\":\"Forbidden\",\"status\":403,\"detail\":\"needs the role admin\"}");
    Path file = folder.resolve("ci");

    assertThat(token("create", "ci", "--role=viewer", "--output", file.toString())).isNotZero();

    assertThat(err.toString()).contains("needs the role admin");
    assertThat(file).doesNotExist();
  }

  @Test
  void aFileWithoutATokenOrItsIdIsRefused() {
    Path file = folder.resolve("other");
    PrivateFile.write(file, "e30." + encode("{\"sub\":\"ann\"}") + ".c2ln");
    assertThat(token("revoke", "--file", file.toString())).isEqualTo(CliException.USAGE);
    assertThat(err.toString()).contains("has no id (jti)", "--subject");
    PrivateFile.write(file, "a.b");
    assertThat(token("revoke", "--file", file.toString())).isEqualTo(CliException.USAGE);
    assertThat(stub.requests()).isEmpty();
  }

  @Test
  void whatToRevokeIsNamedOnce() {
    for (List<String> words : List.of(List.<String>of(), List.of("t-1", "--subject=ann"))) {
      assertThat(token(Stream.concat(Stream.of("revoke"), words.stream()).toArray(String[]::new)))
          .isEqualTo(CliException.USAGE);
    }
    assertThat(err.toString()).contains("either the ID of a token, or --file, or --subject");
    assertThat(stub.requests()).isEmpty();
  }

  private int token(String... arguments) {
    return upliftIn("token", arguments);
  }

  private static String encode(String claims) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(claims.getBytes(UTF_8));
  }
}
