package dev.uplift.api.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.HostId;
import dev.uplift.services.artifacts.ArtifactUrlSigner;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(SharedServerExtension.class)
final class ArtifactControllerTest {
  /// Larger than the server's buffer for a body.
  private static final byte[] BYTES = TestArtifacts.randomBytes(3_000_000, 1);

  private static final String DIGEST = TestArtifacts.sha256(BYTES);

  @Test
  void anArtifactIsStoredIfItsBytesMatchTheDigest(TestTenant testTenant) {
    TestResponse first = put(testTenant, DIGEST, BYTES).expectStatus(201);
    put(testTenant, DIGEST, BYTES).expectStatus(200);

    assertThat(first.json().path("size").asInt()).isEqualTo(BYTES.length);
    assertThat(testTenant.viewer().get(testTenant.path("artifacts/" + DIGEST)).expectStatus(200).text())
        .isEqualTo(first.text());
    assertThat(testTenant.viewer().get(testTenant.path("audit")).texts("items", "action"))
        .containsExactly("artifact.put", "tenant.put");
  }

  @Test
  void otherBytesAreRejectedAndLeaveNothing(TestTenant testTenant) throws IOException {
    String none = "0".repeat(64);

    assertThat(put(testTenant, none, BYTES).expectStatus(422).errors())
        .containsExactly("sha256: the SHA-256 of the body is " + DIGEST);
    assertThat(files(testTenant)).isEmpty();
    put(testTenant, DIGEST, BYTES).expectStatus(201);
    put(testTenant, DIGEST, new byte[] {1}).expectStatus(422);
    assertThat(files(testTenant)).containsExactly(DIGEST);
  }

  @Test
  void anArtifactMayBeEmpty(TestTenant testTenant) {
    put(testTenant, TestArtifacts.sha256(new byte[0]), new byte[0]).expectStatus(201);

    TestResponse got = fetch(testTenant, address(testTenant, TestArtifacts.sha256(new byte[0]), later()));
    assertThat(got.expectStatus(200).bytes()).isEmpty();
  }

  @Test
  void validateChecksTheBytesAndStoresNothing(TestTenant testTenant) throws IOException {
    put(testTenant, DIGEST + "?validate=true", BYTES).expectStatus(201);
    put(testTenant, "0".repeat(64) + "?validate=true", BYTES).expectStatus(422);

    assertThat(files(testTenant)).isEmpty();
    testTenant.viewer().get(testTenant.path("artifacts/" + DIGEST)).expectStatus(404);
  }

  @Test
  void aMalformedDigestIsRejected(TestTenant testTenant) {
    assertThat(put(testTenant, "abc", BYTES).expectStatus(400).errors().getFirst()).startsWith("sha256: expected");
    put(testTenant, DIGEST.toUpperCase(Locale.ROOT), BYTES).expectStatus(400);
    testTenant.viewer().get(testTenant.path("artifacts/..%2F..%2Fcommand.pem")).expectStatus(400);
    put(testTenant, DIGEST + "?what=else", BYTES).expectStatus(400);
    testTenant.operator().sendRaw("PUT", testTenant.path("artifacts/" + DIGEST), BYTES).expectStatus(403);
    put(testTenant, DIGEST, BYTES).expectStatus(201);
  }

  @Test
  void aTenantHasOnlyItsOwnArtifacts(TestTenant testTenant, TestServer server) {
    put(testTenant, DIGEST, BYTES).expectStatus(201);
    TestTenant other = server.newTenant();

    other.viewer().get(other.path("artifacts/" + DIGEST)).expectStatus(404);
    fetch(other, address(other, DIGEST, later())).expectStatus(404);
  }

  @Test
  void aHostDownloadsWithTheUrlAlone(TestTenant testTenant) {
    put(testTenant, DIGEST, BYTES).expectStatus(201);

    TestResponse got = fetch(testTenant, address(testTenant, DIGEST, later())).expectStatus(200);

    assertThat(got.bytes()).isEqualTo(BYTES);
    assertThat(got.header("ETag")).contains("\"" + DIGEST + "\"");
    assertThat(got.header("Accept-Ranges")).contains("bytes");
    assertThat(got.header("Content-Length")).contains(Integer.toString(BYTES.length));
    assertThat(got.header("Content-Type")).contains("application/octet-stream");
  }

  @Test
  void anInterruptedTransferContinues(TestTenant testTenant) {
    put(testTenant, DIGEST, BYTES).expectStatus(201);
    String address = address(testTenant, DIGEST, later());
    TestClient host = testTenant.server().anonymousClient();

    TestResponse rest = host.withHeader("Range", "bytes=1000-").get(address).expectStatus(206);
    assertThat(rest.bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 1000, BYTES.length));
    assertThat(rest.header("Content-Range")).contains("bytes 1000-%d/%d".formatted(BYTES.length - 1, BYTES.length));
    assertThat(host.withHeader("Range", "bytes=5-9").get(address).expectStatus(206).bytes())
        .isEqualTo(Arrays.copyOfRange(BYTES, 5, 10));
    assertThat(host.withHeader("Range", "bytes=-5").get(address).expectStatus(206).bytes())
        .isEqualTo(Arrays.copyOfRange(BYTES, BYTES.length - 5, BYTES.length));
    assertThat(
            host.withHeader("Range", "bytes=" + BYTES.length + "-")
                .get(address)
                .expectStatus(416)
                .header("Content-Range"))
        .contains("bytes */" + BYTES.length);
    for (String odd : List.of("bytes=9-5", "bytes=-", "bytes=1-2,4-5", "lines=1-2", "bytes=x-")) {
      assertThat(host.withHeader("Range", odd).get(address).expectStatus(200).bytes()).hasSize(BYTES.length);
    }
  }

  @Test
  void aTransferContinuesOnlyWithTheSameBytes(TestTenant testTenant) {
    put(testTenant, DIGEST, BYTES).expectStatus(201);
    TestClient host = testTenant.server().anonymousClient().withHeader("Range", "bytes=1000-");
    String address = address(testTenant, DIGEST, later());

    host.withHeader("If-Range", "\"" + DIGEST + "\"").get(address).expectStatus(206);
    host.withHeader("If-Range", "\"another\"").get(address).expectStatus(200);
  }

  @Test
  void headAnswersTheSize(TestTenant testTenant) {
    put(testTenant, DIGEST, BYTES).expectStatus(201);

    TestResponse head =
        testTenant
            .server()
            .anonymousClient()
            .sendRaw("HEAD", address(testTenant, DIGEST, later()), "")
            .expectStatus(200);

    assertThat(head.header("Content-Length")).contains(Integer.toString(BYTES.length));
    assertThat(head.header("ETag")).contains("\"" + DIGEST + "\"");
    assertThat(head.bytes()).isEmpty();
  }

  @Test
  void aUrlThatTheServerDidNotSignIsRejected(TestTenant testTenant) {
    put(testTenant, DIGEST, BYTES).expectStatus(201);
    String address = address(testTenant, DIGEST, later());

    fetch(testTenant, address.replaceFirst("host=left", "host=right")).expectStatus(403);
    fetch(testTenant, address.replaceFirst("expires=", "expires=9")).expectStatus(403);
    fetch(testTenant, address.substring(0, address.length() - 1)).expectStatus(403);
    fetch(testTenant, "/artifacts/" + DIGEST).expectStatus(403);
    assertThat(fetch(testTenant, address(testTenant, DIGEST, Instant.EPOCH)).expectStatus(403).detail())
        .isEqualTo("this URL expired at 1970-01-01T00:00:00Z; a new command has a new one");
  }

  private static TestResponse put(TestTenant testTenant, String digest, byte[] bytes) {
    return testTenant
        .admin()
        .withHeader("Content-Type", "application/octet-stream")
        .sendRaw("PUT", testTenant.path("artifacts/" + digest), bytes);
  }

  private static TestResponse fetch(TestTenant testTenant, String address) {
    return testTenant.server().anonymousClient().get(address);
  }

  private static String address(TestTenant testTenant, String digest, Instant expires) {
    URI address =
        URI.create(
            testTenant
                .server()
                .bean(ArtifactUrlSigner.class)
                .sign(testTenant.name(), new HostId("left"), digest, expires));
    return address.getRawPath() + "?" + address.getRawQuery();
  }

  private static Instant later() {
    return Instant.now().plusSeconds(600);
  }

  private static List<String> files(TestTenant testTenant) throws IOException {
    Path folder = Path.of(testTenant.server().home().path("artifacts"), testTenant.name());
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }
}
