package dev.uplift.protocol.enrolment;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.json.MalformedMessage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerAddressTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://uplift.example.com",
        "https://10.0.0.1:8443/x",
        "http://127.0.0.1:80",
        "http://localhost:1",
        "http://[::1]:80"
      })
  void hostsJoinOverTlsOrOnTheSameMachine(String url) {
    assertThatCode(() -> ServerAddress.requireHttps("url", url)).doesNotThrowAnyException();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "http://uplift.example.com",
        "http://10.0.0.1",
        "http://127.evil.example",
        "http://localhost.evil.example",
        "http://127.0.0.1@evil.example",
        "ftp://127.0.0.1",
        "uplift.example.com",
        "",
        "https://",
        "http://0.0.0.0"
      })
  void anyOtherAddressIsRefused(String url) {
    assertThatThrownBy(() -> ServerAddress.requireHttps("url", url))
        .isInstanceOf(MalformedMessage.class)
        .hasMessage("url: expected https://, or http:// of this machine (127.0.0.1, localhost)");
  }

  @Test
  void eachAddressOfNatsIsLookedAt() {
    assertThatCode(
            () -> ServerAddress.requireTls("nats", "tls://a.example:4222,tls://b.example:4222, nats://127.0.0.1:1"))
        .doesNotThrowAnyException();
    assertThatThrownBy(() -> ServerAddress.requireTls("nats", "tls://a.example:4222,nats://b.example:4222"))
        .isInstanceOf(MalformedMessage.class)
        .hasMessage("nats: expected tls://, or nats:// of this machine (127.0.0.1, localhost)");
  }

  @Test
  void aTokenWithAPlainAddressIsNone() {
    assertThatThrownBy(() -> JoinToken.create("http://uplift.example.com", "acme", "left", ""))
        .isInstanceOf(MalformedMessage.class);
  }
}
