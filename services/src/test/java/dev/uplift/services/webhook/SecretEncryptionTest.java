package dev.uplift.services.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SecretEncryptionTest {
  private static final byte[] SECRET = "secret".getBytes(UTF_8);
  private static final String FIRST = "the first secret of the servers";
  private static final String SECOND = "the second secret of the servers";

  @Test
  void whatIsEncryptedIsReadForItsOwnerOnly() {
    var encryption = new SecretEncryption(FIRST);

    String one = encryption.encrypt("acme/chat", SECRET);

    assertThat(one).isNotEqualTo(encryption.encrypt("acme/chat", SECRET)).doesNotContain("secret");
    assertThat(encryption.decrypt("acme/chat", one)).contains(SECRET);
    assertThat(encryption.decrypt("other/chat", one)).isEmpty();
    assertThat(encryption.decrypt("acme/chat", one.replaceFirst("^.", one.startsWith("A") ? "B" : "A"))).isEmpty();
    assertThat(encryption.decrypt("acme/chat", "AAAA")).isEmpty();
  }

  @Test
  void theSecretOfTheServersIsExchangedInSteps() {
    String old = new SecretEncryption(FIRST).encrypt("acme/chat", SECRET);
    var both = new SecretEncryption(SECOND + "\n" + FIRST);

    assertThat(both.decrypt("acme/chat", old)).contains(SECRET);
    assertThat(both.isCurrent("acme/chat", old)).isFalse();
    String current = both.encrypt("acme/chat", SECRET);
    assertThat(both.isCurrent("acme/chat", current)).isTrue();
    assertThat(new SecretEncryption(SECOND).decrypt("acme/chat", current)).contains(SECRET);
    both.replace(SECOND);
    assertThat(both.decrypt("acme/chat", current)).contains(SECRET);
    assertThat(both.decrypt("acme/chat", old)).isEmpty();
  }
}
