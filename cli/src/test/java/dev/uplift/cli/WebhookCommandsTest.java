package dev.uplift.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.cli.file.PrivateFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.StubServer;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class WebhookCommandsTest {
  private final StringWriter out = new StringWriter();
  private final StubServer stub;

  @TempDir private Path folder;

  WebhookCommandsTest() throws IOException {
    stub = new StubServer();
  }

  @AfterEach
  void close() {
    stub.close();
  }

  @Test
  void aTestThatTheReceiverAcceptsSucceeds() {
    stub.answerByDefault(200, "{\"accepted\":true,\"status\":204,\"message\":\"the receiver answered 204\"}");

    assertThat(run("webhook", "test", "chat")).isZero();

    assertThat(out.toString().strip()).isEqualTo("accepted: the receiver answered 204");
  }

  @Test
  void aTestThatTheReceiverDoesNotAcceptFailsWithItsAnswer() {
    stub.answerByDefault(200, "{\"accepted\":false,\"status\":500,\"message\":\"the receiver answered 500\"}");

    assertThat(run("webhook", "test", "chat")).isEqualTo(CliException.UNSUCCESSFUL_OUTCOME);

    assertThat(out.toString().strip()).isEqualTo("not accepted: the receiver answered 500");
  }

  @Test
  void aTestThatIsOnlyValidatedSucceeds() {
    stub.answerByDefault(200, "{\"accepted\":false,\"message\":\"nothing was sent\"}");

    assertThat(run("webhook", "test", "chat", "--dry-run")).isZero();

    assertThat(out.toString().strip()).isEqualTo("nothing was sent");
  }

  @Test
  void theHostsOfABarrierAreCountedInWordsThatFitOneToo() {
    stub.answerByDefault(
        200, "{\"name\":\"b\",\"package\":\"till\",\"state\":\"halted\",\"counts\":{\"hosts\":1,\"halted\":1}}");

    assertThat(run("barrier", "show", "b")).isZero();

    assertThat(out.toString()).contains("hosts: 1 (1 halted, 0 pending, 0 missing, 0 resumed)");
  }

  private int run(String... words) {
    Path token = folder.resolve("token");
    PrivateFile.write(token, "secret");
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--url", stub.url().toString(), "--token-file", token.toString(), "--tenant", "acme"));
    return Main.commandLine().setOut(new PrintWriter(out, true)).execute(all.toArray(String[]::new));
  }
}
