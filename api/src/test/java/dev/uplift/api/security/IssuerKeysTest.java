package dev.uplift.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class IssuerKeysTest {
  private final HttpServer stub = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final URI issuer = URI.create("http://127.0.0.1:" + stub.getAddress().getPort());
  private final HttpClient http = HttpClient.newHttpClient();
  private final AtomicInteger reads = new AtomicInteger();
  private final AtomicLong nanoTime = new AtomicLong();
  private volatile String configuration = "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(issuer, issuer);
  private volatile String keySet = "{\"keys\":[]}";
  private volatile int status = 200;

  IssuerKeysTest() throws IOException {
    answer("/.well-known/openid-configuration", () -> configuration);
    answer("/keys", () -> keySet);
    stub.start();
  }

  private void answer(String path, java.util.function.Supplier<String> body) {
    stub.createContext(
        path,
        exchange -> {
          if (path.startsWith("/.well-known")) {
            reads.incrementAndGet();
          }
          byte[] bytes = body.get().getBytes(UTF_8);
          exchange.sendResponseHeaders(status, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  @AfterEach
  void close() {
    stub.stop(0);
    http.close();
  }

  @Test
  void unknownKeysCauseOneReadInFiveSeconds() throws Exception {
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      IssuerKeySet first = get(keys);
      for (int i = 0; i < 100; i++) {
        assertThat(get(keys)).isSameAs(first);
      }
      assertThat(reads).hasValue(1);

      nanoTime.addAndGet(Duration.ofSeconds(5).toNanos());
      var again = get(keys);

      assertThat(again).isNotSameAs(first).isSameAs(get(keys));
      assertThat(reads).hasValue(2);
    }
  }

  @Test
  void aFailedReadKeepsTheKeysAndIsNotRepeatedAtOnce() throws Exception {
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      IssuerKeySet first = get(keys);
      status = 500;
      nanoTime.addAndGet(Duration.ofSeconds(5).toNanos());

      for (int i = 0; i < 10; i++) {
        assertThatThrownBy(() -> get(keys)).rootCause().hasMessageContaining("answers 500");
      }
      assertThat(reads).hasValue(2);
      assertThat(keys.known()).containsSame(first);
    }
  }

  @Test
  void aConfigurationOfAnotherIssuerIsNotBelieved() {
    configuration = configuration.replace("\"issuer\":\"http", "\"issuer\":\"https");
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      assertThatThrownBy(() -> get(keys)).hasMessageContaining("names another one");
      assertThat(keys.known()).isEmpty();
    }
  }

  @Test
  void keysAreNotReadInTheClearFromAnotherMachine() {
    configuration = "{\"issuer\":\"%s\",\"jwks_uri\":\"http://keys.example.com/\"}".formatted(issuer);
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      assertThatThrownBy(() -> get(keys)).hasMessageContaining("expected an https address");
    }
  }

  @Test
  void aKeyOfTheIssuerThatIsReplacedCountsNoMore() throws Exception {
    SigningKey first = SigningKey.generate();
    SigningKey next = SigningKey.generate();
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      keySet = keySet(first);
      get(keys);
      nanoTime.addAndGet(Duration.ofSeconds(5).toNanos());
      assertThat(get(keys).verify(signed(first))).isTrue();

      keySet = keySet(next);
      nanoTime.addAndGet(Duration.ofSeconds(5).toNanos());

      assertThat(get(keys).verify(signed(next))).isTrue();
      assertThat(keys.known().orElseThrow().verify(signed(first))).isFalse();
    }
  }

  private static String keySet(SigningKey key) {
    Base64URL x = Base64URL.encode(key.rawPublicKey());
    return "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"one\",\"x\":\"%s\"}]}".formatted(x);
  }

  private static SignedJWT signed(SigningKey key) {
    var header = new JWSHeader.Builder(JWSAlgorithm.EdDSA).keyID("one").build();
    return TestTokens.signed(key, header, new JWTClaimsSet.Builder().subject("ann").build());
  }

  @Test
  void aKeySetThatIsNoneIsAFailureForAllThatWait() {
    keySet = "null";
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      assertThatThrownBy(() -> get(keys)).hasMessageContaining("expected a list of keys");
    }
  }

  @Test
  void anEndlessAnswerIsCutOff() {
    configuration = "x".repeat(2 << 20);
    try (var keys = new IssuerKeys(issuer, http, nanoTime::get)) {
      assertThatThrownBy(() -> get(keys)).hasMessageContaining("cannot be read");
    }
    await("it was asked").until(() -> reads.get() == 1);
  }

  private static IssuerKeySet get(IssuerKeys keys) throws Exception {
    return keys.recent().get(30, TimeUnit.SECONDS);
  }
}
