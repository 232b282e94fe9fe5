package dev.uplift.services.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.fleet.HostId;
import java.net.URI;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

final class ArtifactUrlSignerTest {
  private static final String DIGEST = "ab".repeat(32);
  private static final Instant EXPIRES = Instant.parse("2026-11-20T12:00:00.9Z");

  private final ArtifactUrlSigner signer = new ArtifactUrlSigner("http://127.0.0.1:8080/", "the secret");

  @Test
  void aUrlNamesItsArtifactAndCannotBeChanged() {
    URI address = URI.create(signer.sign("acme", new HostId("left"), DIGEST, EXPIRES));

    assertThat(address.getPath()).isEqualTo("/artifacts/" + DIGEST);
    Map<String, String> parts =
        Arrays.stream(address.getQuery().split("&"))
            .map(part -> part.split("=", 2))
            .collect(Collectors.toMap(part -> part[0], part -> part[1]));
    String mac = String.valueOf(parts.get("mac"));
    String expires = String.valueOf(parts.get("expires"));
    assertThat(expires).isEqualTo(Long.toString(EXPIRES.getEpochSecond()));
    assertThat(signer.isValid("acme", "left", DIGEST, expires, mac)).isTrue();
    assertThat(signer.isValid("other", "left", DIGEST, expires, mac)).isFalse();
    assertThat(signer.isValid("acme", "right", DIGEST, expires, mac)).isFalse();
    assertThat(signer.isValid("acme", "left", "cd".repeat(32), expires, mac)).isFalse();
    assertThat(signer.isValid("acme", "left", DIGEST, expires + "0", mac)).isFalse();
    assertThat(signer.isValid("acme", "left", DIGEST, expires, "")).isFalse();
  }

  @Test
  void anotherSecretGivesAnotherUrl() {
    ArtifactUrlSigner others = new ArtifactUrlSigner("http://127.0.0.1:8080", "another secret");

    assertThat(others.sign("acme", new HostId("left"), DIGEST, EXPIRES))
        .isNotEqualTo(signer.sign("acme", new HostId("left"), DIGEST, EXPIRES));
  }

  @Test
  void urlsOfASecondSecretAreValid() {
    ArtifactUrlSigner both = new ArtifactUrlSigner("http://127.0.0.1:8080", "another secret\nthe secret\n");
    ArtifactUrlSigner others = new ArtifactUrlSigner("http://127.0.0.1:8080", "another secret");
    var left = new HostId("left");

    assertThat(both.sign("acme", left, DIGEST, EXPIRES)).isEqualTo(others.sign("acme", left, DIGEST, EXPIRES));
    for (ArtifactUrlSigner maker : new ArtifactUrlSigner[] {signer, others}) {
      String address = maker.sign("acme", left, DIGEST, EXPIRES);
      String mac = address.substring(address.indexOf("mac=") + 4);
      String expires = Long.toString(EXPIRES.getEpochSecond());
      assertThat(both.isValid("acme", "left", DIGEST, expires, mac)).isTrue();
    }
  }
}
