package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.testservers.DocumentedWorker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/// The function with which a receiver verifies messages, as `docs/webhooks.md` shows it.
final class DocumentedReceiverTest {
  private static final String FENCE = "```python\n";
  private static final String BODY = "{\"type\":\"device.held\",\"text\":\"ü\"}";

  private final WebhookSecret secret = WebhookSecret.generate();

  @BeforeAll
  static void requireInterpreter() {
    Assumptions.assumeTrue(
        DocumentedWorker.hasInterpreter(), "there is no python3 on this machine, which the page's function needs");
  }

  @Test
  void aMessageOfOursIsVerified() throws Exception {
    Instant now = Instant.now();

    assertThat(verify(now, sign(secret, now, BODY), BODY)).isEqualTo("True");
    assertThat(verify(now, sign(WebhookSecret.generate(), now, BODY) + " " + sign(secret, now, BODY), BODY))
        .as("while the secret is exchanged")
        .isEqualTo("True");
  }

  @Test
  void anyOtherIsRefused() throws Exception {
    Instant now = Instant.now();
    Instant old = now.minus(Duration.ofMinutes(6));

    assertThat(verify(now, sign(secret, now, BODY), BODY + " ")).isEqualTo("False");
    assertThat(verify(now, sign(WebhookSecret.generate(), now, BODY), BODY)).isEqualTo("False");
    assertThat(verify(old, sign(secret, old, BODY), BODY)).as("replayed").isEqualTo("False");
  }

  private static String sign(WebhookSecret by, Instant at, String body) {
    return by.sign("msg_1", at, body.getBytes(UTF_8));
  }

  private String verify(Instant at, String signatures, String body) throws IOException, InterruptedException {
    String call =
        """
        print(verify("%s", {"webhook-id": "msg_1", "webhook-timestamp": "%d", "webhook-signature": "%s"},
          base64.b64decode("%s")))
        """
            .formatted(
                secret.text(),
                at.getEpochSecond(),
                signatures,
                Base64.getEncoder().encodeToString(body.getBytes(UTF_8)));
    Process python =
        new ProcessBuilder("python3", "-c", function() + call).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    String output = new String(python.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(python.waitFor(1, TimeUnit.MINUTES)).isTrue();
    return output;
  }

  private static String function() throws IOException {
    String page = Files.readString(Path.of("../docs/webhooks.md"));
    int from = page.indexOf(FENCE) + FENCE.length();
    return page.substring(from, page.indexOf("```", from));
  }
}
