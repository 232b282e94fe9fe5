package dev.uplift.protocol.enrolment;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.nats.Nkey;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class EnrolmentMessagesTest {
  private static final JoinToken TOKEN =
      JoinToken.make("https://uplift.example.com", "acme", "left", "");

  private final Nkey key = Nkey.generate(Nkey.Kind.USER);
  private final Nkey other = Nkey.generate(Nkey.Kind.USER);

  @Test
  void aTokenIsReadAsItIsWrittenAndNeverShown() {
    assertThat(JoinToken.of("  " + TOKEN.text() + "\n")).isEqualTo(TOKEN);
    assertThat(TOKEN).asString().doesNotContain(TOKEN.secret());
    assertThat(TOKEN.hash()).hasSize(64).doesNotContain(TOKEN.secret());
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 7, 20, 100})
  void aTornTokenIsRefusedWithoutBeingShown(int length) {
    String torn = TOKEN.text().substring(0, length);
    assertThatThrownBy(() -> JoinToken.of(torn))
        .isInstanceOf(MalformedMessage.class)
        .hasMessage("token: expected one whole word that begins with uplift1., as it was shown");
  }

  @Test
  void whoAsksToJoinHasTheKey() {
    JoinRequest request = JoinRequest.of(TOKEN, key);
    assertThat(JoinRequest.read(request.write())).isEqualTo(request);
    assertThat(request.isGenuine()).isTrue();
    assertThat(
            new JoinRequest("acme", TOKEN.secret(), other.name(), request.signature()).isGenuine())
        .isFalse();
    assertThat(new JoinRequest("acme", "another", key.name(), request.signature()).isGenuine())
        .isFalse();
    assertThat(new JoinRequest("acme", TOKEN.secret(), key.name(), "?").isGenuine()).isFalse();
    assertThat(request).asString().doesNotContain(TOKEN.secret());
  }

  @Test
  void whoAsksForATicketOfAnotherKeyHasBoth() {
    RenewRequest same = RenewRequest.of("acme", "left", key);
    RenewRequest next = RenewRequest.of("acme", "left", key, other);
    assertThat(RenewRequest.read(same.write())).isEqualTo(same);
    assertThat(RenewRequest.read(next.write())).isEqualTo(next);
    assertThat(same.isGenuine()).isTrue();
    assertThat(next.isGenuine()).isTrue();
    assertThat(
            new RenewRequest(
                    "acme", "left", key.name(), other.name(), next.signature(), next.signature())
                .isGenuine())
        .isFalse();
    assertThat(new RenewRequest("acme", "right", key.name(), "", same.signature(), "").isGenuine())
        .isFalse();
  }

  /// A database may take such a text for a mistake of ours, and who may ask is anybody.
  @ParameterizedTest
  @ValueSource(strings = {"", "Acme", "a.b", "a b", "a\u0000b", "\ud800", "a\nb", "{{name()}}"})
  void aRequestOfNoProperTenantOrHostIsNone(String odd) {
    assertThatThrownBy(() -> new JoinRequest(odd, TOKEN.secret(), key.name(), "s"))
        .isInstanceOf(MalformedMessage.class);
    assertThatThrownBy(() -> new RenewRequest(odd, "left", key.name(), "", "s", ""))
        .isInstanceOf(MalformedMessage.class);
    String host = odd.equals("Acme") ? "-" : odd;
    assertThatThrownBy(() -> new RenewRequest("acme", host, key.name(), "", "s", ""))
        .isInstanceOf(MalformedMessage.class);
  }

  @Test
  void anAdmissionIsReadAsItIsWritten() {
    var admission =
        new Admission(
            "acme",
            "left",
            "https://uplift.example.com",
            "tls://nats.example.com:4222",
            "a.b.c",
            "-----BEGIN CERTIFICATE-----",
            new TreeMap<>(Map.of("root.json", "{}")),
            true);
    assertThat(Admission.read(admission.write())).isEqualTo(admission);
    assertThat(admission).asString().doesNotContain("a.b.c");
  }
}
