package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Base64;
import org.junit.jupiter.api.Test;

final class WebhookSecretTest {
  /// The one that the libraries of Standard Webhooks are tested with.
  @Test
  void theTestVectorOfStandardWebhooksIsSigned() {
    var secret = new WebhookSecret(Base64.getDecoder().decode("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"));

    String signature =
        secret.sign(
            "msg_p5jXN8AQM9LWM0D4loKWxJek",
            Instant.ofEpochSecond(1_614_265_330),
            "{\"test\": 2432232314}".getBytes(UTF_8));

    assertThat(secret.text()).isEqualTo("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw");
    assertThat(signature).isEqualTo("v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=");
  }

  @Test
  void eachIsAnotherAndHidden() {
    WebhookSecret one = WebhookSecret.generate();

    assertThat(one.text()).matches("whsec_[A-Za-z0-9+/]{43}=").isNotEqualTo(WebhookSecret.generate().text());
    assertThat(one.toString()).isEqualTo("whsec_…");
  }
}
