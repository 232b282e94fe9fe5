package dev.uplift.agent.transport;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CredentialsFileAuthHandlerTest {
  private final Nkey key = Nkey.generate(Nkey.Kind.USER);
  @TempDir private Path folder;
  private CredentialsFileAuthHandler handler;

  @BeforeEach
  void write() throws IOException {
    Path file = folder.resolve("credentials");
    Files.writeString(file, new Credentials("a.b.c", key).format());
    handler = new CredentialsFileAuthHandler(file);
  }

  @Test
  void nonceOfNatsIsSigned() {
    byte[] nonce = "uhqLX7gFUpk_S-4".getBytes(US_ASCII);

    assertThat(Nkey.verify(key.publicKey(), nonce, handler.sign(nonce))).isTrue();
  }

  /// A NATS server that was taken over would get a request that gives the host's identity to another key.
  @Test
  void textOfARenewalIsNotSignedForANonce() {
    String thief = Nkey.generate(Nkey.Kind.USER).publicKey();
    String renewal = String.join("\0", "uplift-renew-v1", "acme", "left", key.publicKey(), thief);

    assertThatThrownBy(() -> handler.sign(renewal.getBytes(UTF_8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nonce of NATS: expected 11 to 64 of A-Z a-z 0-9 _ -");
    assertThatThrownBy(() -> handler.sign(new byte[0])).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> handler.sign("a".repeat(65).getBytes(US_ASCII)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
