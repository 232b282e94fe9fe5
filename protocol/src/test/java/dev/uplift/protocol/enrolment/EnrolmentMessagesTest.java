package dev.uplift.protocol.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.nats.Nkey;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnrolmentMessagesTest {
  private static final JoinToken TOKEN = JoinToken.create("https://uplift.example.com", "acme", "left", "");

  private final Nkey key = Nkey.generate(Nkey.Kind.USER);
  private final Nkey other = Nkey.generate(Nkey.Kind.USER);

  @Test
  void aTokenIsReadBackAndNeverPrinted() {
    assertThat(JoinToken.decode("  " + TOKEN.encode() + "\n")).isEqualTo(TOKEN);
    assertThat(TOKEN).asString().doesNotContain(TOKEN.secret());
    assertThat(TOKEN.hash()).hasSize(64).doesNotContain(TOKEN.secret());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 20, 100})
  void aTruncatedTokenIsRejectedWithoutBeingPrinted(int length) {
    String torn = TOKEN.encode().substring(0, length);
    assertThatThrownBy(() -> JoinToken.decode(torn))
        .isInstanceOf(MalformedMessage.class)
        .hasMessage("token: expected one whole word that begins with uplift1., as it was shown");
  }

  @Test
  void joinRequestProvesPossessionOfTheKey() {
    JoinRequest request = JoinRequest.of(TOKEN, key);
    assertThat(JoinRequest.read(request.write())).isEqualTo(request);
    assertThat(request.hasValidSignature()).isTrue();
    assertThat(new JoinRequest("acme", TOKEN.secret(), other.publicKey(), request.signature()).hasValidSignature())
        .isFalse();
    assertThat(new JoinRequest("acme", "another", key.publicKey(), request.signature()).hasValidSignature()).isFalse();
    assertThat(new JoinRequest("acme", TOKEN.secret(), key.publicKey(), "?").hasValidSignature()).isFalse();
    assertThat(request).asString().doesNotContain(TOKEN.secret());
  }

  @Test
  void renewRequestForANewKeyProvesPossessionOfBoth() {
    RenewRequest same = RenewRequest.of("acme", "left", key, "c-1");
    RenewRequest next = RenewRequest.of("acme", "left", key, other, "c-1");
    assertThat(RenewRequest.read(same.write())).isEqualTo(same);
    assertThat(RenewRequest.read(next.write())).isEqualTo(next);
    assertThat(same.hasValidSignatures()).isTrue();
    assertThat(next.hasValidSignatures()).isTrue();
    assertThat(
            new RenewRequest(
                    "acme", "left", key.publicKey(), other.publicKey(), "c-1", next.signature(), next.signature())
                .hasValidSignatures())
        .isFalse();
    assertThat(new RenewRequest("acme", "right", key.publicKey(), "", "c-1", same.signature(), "").hasValidSignatures())
        .isFalse();
    assertThat(new RenewRequest("acme", "left", key.publicKey(), "", "c-2", same.signature(), "").hasValidSignatures())
        .as("the challenge is signed")
        .isFalse();
  }

  /// Requests come from anywhere, and a database might reject such a text.
  @ParameterizedTest
  @ValueSource(strings = {"", "Acme", "a.b", "a b", "a\u0000b", "\ud800", "a\nb", "{{name()}}"})
  void aRequestWithAnInvalidTenantOrHostIsRejected(String odd) {
    assertThatThrownBy(() -> new JoinRequest(odd, TOKEN.secret(), key.publicKey(), "s"))
        .isInstanceOf(MalformedMessage.class);
    assertThatThrownBy(() -> new RenewRequest(odd, "left", key.publicKey(), "", "", "s", ""))
        .isInstanceOf(MalformedMessage.class);
    String host = odd.equals("Acme") ? "-" : odd;
    assertThatThrownBy(() -> new RenewRequest("acme", host, key.publicKey(), "", "", "s", ""))
        .isInstanceOf(MalformedMessage.class);
  }

  @Test
  void aResponseIsReadBack() {
    var enrolmentResponse =
        new EnrolmentResponse(
            "acme",
            "left",
            "https://uplift.example.com",
            "tls://nats.example.com:4222",
            "a.b.c",
            "-----BEGIN CERTIFICATE-----",
            new TreeMap<>(Map.of("root.json", "{}")),
            true);
    assertThat(EnrolmentResponse.read(enrolmentResponse.write())).isEqualTo(enrolmentResponse);
    assertThat(enrolmentResponse).asString().doesNotContain("a.b.c");
  }
}
