package dev.uplift.cli.release;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.cli.keys.KeyFile;
import dev.uplift.cli.release.UnsignedRelease.Artifact;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Agents in the field check these bytes. Key, id and signature here were made by openssl and a script, not by the code
/// that is tested.
class ReleaseSignatureTest {
  private static final String PRIVATE =
      """
      -----BEGIN PRIVATE KEY-----
      MC4CAQAwBQYDK2VwBCIEIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f
      -----END PRIVATE KEY-----
      """;
  private static final String TEXT =
      "{\"package\":\"shopd\",\"kind\":\"bundle\",\"version\":\"1.5.0\",\"sequence\":15,"
          + "\"artifact\":{\"size\":4,\"sha256\":"
          + "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"},"
          + "\"arguments\":{\"a\":\"1\",\"b\":\"2\"},\"installs_over\":[\"1.4.0\"],"
          + "\"created_at\":\"2026-11-20T12:00:00Z\"}\n";
  private static final String LINE =
      "56475aa75463474c.TyeuiKfMoBq9XtI1rR9OawNzCu50OsiOxrWQcGm8eur0sqp2BufgQqX3_" + "o6vlthctOseQmd5do3XqvJmj_dADw\n";

  @TempDir private Path folder;

  @Test
  void aReleaseIsWrittenAndSignedToTheByte() throws IOException {
    UnsignedRelease release =
        new UnsignedRelease(
            "shopd",
            "bundle",
            "1.5.0",
            15,
            Optional.of(Artifact.of(file("artifact", "test"))),
            Map.of("b", "2", "a", "1"),
            List.of("1.4.0"),
            Instant.parse("2026-11-20T12:00:00.123Z"));

    assertThat(new String(release.toBytes(), UTF_8)).isEqualTo(TEXT);
    assertThat(UnsignedRelease.sign(KeyFile.readPrivate(file("key.pem", PRIVATE)), release.toBytes())).isEqualTo(LINE);
  }

  @Test
  void aVersionWithAnotherCharacterIsRefused() {
    assertThatThrownBy(() ->
            new UnsignedRelease("shopd", "bundle", "1.5/0", 15, Optional.empty(), Map.of(), List.of(), Instant.EPOCH))
        .hasMessageContaining("\"1.5/0\": expected 1 to 64 of the characters");
  }

  private Path file(String name, String text) throws IOException {
    return Files.writeString(folder.resolve(name), text);
  }
}
