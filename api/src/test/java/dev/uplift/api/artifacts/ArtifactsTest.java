package dev.uplift.api.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.activities.artifacts.ArtifactAddresses;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Client;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.api.server.TestServer;
import dev.uplift.fleet.HostId;
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

@ExtendWith(SharedServer.class)
final class ArtifactsTest {
  /// More than the server reads as a whole.
  private static final byte[] BYTES = Bytes.some(3_000_000, 1);

  private static final String DIGEST = Bytes.sha256(BYTES);

  @Test
  void anArtifactIsThereOnceItsBytesAreWhatItsNameSays(Tenant tenant) {
    Answer first = put(tenant, DIGEST, BYTES).is(201);
    put(tenant, DIGEST, BYTES).is(200);

    assertThat(first.json().path("size").asInt()).isEqualTo(BYTES.length);
    assertThat(tenant.viewer().get(tenant.path("artifacts/" + DIGEST)).is(200).text())
        .isEqualTo(first.text());
    assertThat(tenant.viewer().get(tenant.path("audit")).texts("items", "action"))
        .containsExactly("artifact.put", "tenant.put");
  }

  @Test
  void otherBytesAreRefusedAndLeaveNothing(Tenant tenant) throws IOException {
    String none = "0".repeat(64);

    assertThat(put(tenant, none, BYTES).is(422).faults())
        .containsExactly("sha256: the SHA-256 of the body is " + DIGEST);
    assertThat(files(tenant)).isEmpty();
    put(tenant, DIGEST, BYTES).is(201);
    put(tenant, DIGEST, new byte[] {1}).is(422);
    assertThat(files(tenant)).containsExactly(DIGEST);
  }

  @Test
  void anEmptyArtifactIsOneToo(Tenant tenant) {
    put(tenant, Bytes.sha256(new byte[0]), new byte[0]).is(201);

    Answer got = fetch(tenant, address(tenant, Bytes.sha256(new byte[0]), later()));
    assertThat(got.is(200).bytes()).isEmpty();
  }

  @Test
  void validateChecksTheBytesAndKeepsNothing(Tenant tenant) throws IOException {
    put(tenant, DIGEST + "?validate=true", BYTES).is(201);
    put(tenant, "0".repeat(64) + "?validate=true", BYTES).is(422);

    assertThat(files(tenant)).isEmpty();
    tenant.viewer().get(tenant.path("artifacts/" + DIGEST)).is(404);
  }

  @Test
  void aDigestThatIsNoneIsRefused(Tenant tenant) {
    assertThat(put(tenant, "abc", BYTES).is(400).faults().getFirst())
        .startsWith("sha256: expected");
    put(tenant, DIGEST.toUpperCase(Locale.ROOT), BYTES).is(400);
    tenant.viewer().get(tenant.path("artifacts/..%2F..%2Fcommand.pem")).is(400);
    put(tenant, DIGEST + "?what=else", BYTES).is(400);
    tenant.operator().sendAsIs("PUT", tenant.path("artifacts/" + DIGEST), BYTES).is(403);
    put(tenant, DIGEST, BYTES).is(201);
  }

  @Test
  void aTenantHasOnlyWhatItBroughtItself(Tenant tenant, TestServer server) {
    put(tenant, DIGEST, BYTES).is(201);
    Tenant other = server.newTenant();

    other.viewer().get(other.path("artifacts/" + DIGEST)).is(404);
    fetch(other, address(other, DIGEST, later())).is(404);
  }

  @Test
  void aHostFetchesByItsAddressAlone(Tenant tenant) {
    put(tenant, DIGEST, BYTES).is(201);

    Answer got = fetch(tenant, address(tenant, DIGEST, later())).is(200);

    assertThat(got.bytes()).isEqualTo(BYTES);
    assertThat(got.header("ETag")).contains("\"" + DIGEST + "\"");
    assertThat(got.header("Accept-Ranges")).contains("bytes");
    assertThat(got.header("Content-Length")).contains(Integer.toString(BYTES.length));
    assertThat(got.header("Content-Type")).contains("application/octet-stream");
  }

  @Test
  void aTransferThatBrokeGoesOn(Tenant tenant) {
    put(tenant, DIGEST, BYTES).is(201);
    String address = address(tenant, DIGEST, later());
    Client host = tenant.server().nobody();

    Answer rest = host.with("Range", "bytes=1000-").get(address).is(206);
    assertThat(rest.bytes()).isEqualTo(Arrays.copyOfRange(BYTES, 1000, BYTES.length));
    assertThat(rest.header("Content-Range"))
        .contains("bytes 1000-%d/%d".formatted(BYTES.length - 1, BYTES.length));
    assertThat(host.with("Range", "bytes=5-9").get(address).is(206).bytes())
        .isEqualTo(Arrays.copyOfRange(BYTES, 5, 10));
    assertThat(host.with("Range", "bytes=-5").get(address).is(206).bytes())
        .isEqualTo(Arrays.copyOfRange(BYTES, BYTES.length - 5, BYTES.length));
    assertThat(
            host.with("Range", "bytes=" + BYTES.length + "-")
                .get(address)
                .is(416)
                .header("Content-Range"))
        .contains("bytes */" + BYTES.length);
    for (String odd : List.of("bytes=9-5", "bytes=-", "bytes=1-2,4-5", "lines=1-2", "bytes=x-")) {
      assertThat(host.with("Range", odd).get(address).is(200).bytes()).hasSize(BYTES.length);
    }
  }

  @Test
  void aTransferGoesOnOnlyWithTheSameBytes(Tenant tenant) {
    put(tenant, DIGEST, BYTES).is(201);
    Client host = tenant.server().nobody().with("Range", "bytes=1000-");
    String address = address(tenant, DIGEST, later());

    host.with("If-Range", "\"" + DIGEST + "\"").get(address).is(206);
    host.with("If-Range", "\"another\"").get(address).is(200);
  }

  @Test
  void headSaysHowMuchThereIs(Tenant tenant) {
    put(tenant, DIGEST, BYTES).is(201);

    Answer head =
        tenant.server().nobody().sendAsIs("HEAD", address(tenant, DIGEST, later()), "").is(200);

    assertThat(head.header("Content-Length")).contains(Integer.toString(BYTES.length));
    assertThat(head.header("ETag")).contains("\"" + DIGEST + "\"");
    assertThat(head.bytes()).isEmpty();
  }

  @Test
  void anAddressThatTheServerDidNotGiveAwayOpensNothing(Tenant tenant) {
    put(tenant, DIGEST, BYTES).is(201);
    String address = address(tenant, DIGEST, later());

    fetch(tenant, address.replaceFirst("host=left", "host=right")).is(403);
    fetch(tenant, address.replaceFirst("expires=", "expires=9")).is(403);
    fetch(tenant, address.substring(0, address.length() - 1)).is(403);
    fetch(tenant, "/artifacts/" + DIGEST).is(403);
    assertThat(fetch(tenant, address(tenant, DIGEST, Instant.EPOCH)).is(403).detail())
        .isEqualTo("this address was good until 1970-01-01T00:00:00Z; a new command has a new one");
  }

  private static Answer put(Tenant tenant, String digest, byte[] bytes) {
    return tenant
        .admin()
        .with("Content-Type", "application/octet-stream")
        .sendAsIs("PUT", tenant.path("artifacts/" + digest), bytes);
  }

  private static Answer fetch(Tenant tenant, String address) {
    return tenant.server().nobody().get(address);
  }

  private static String address(Tenant tenant, String digest, Instant expires) {
    URI address =
        URI.create(
            tenant
                .server()
                .bean(ArtifactAddresses.class)
                .of(tenant.name(), new HostId("left"), digest, expires));
    return address.getRawPath() + "?" + address.getRawQuery();
  }

  private static Instant later() {
    return Instant.now().plusSeconds(600);
  }

  private static List<String> files(Tenant tenant) throws IOException {
    Path folder = Path.of(tenant.server().home().path("artifacts"), tenant.name());
    if (!Files.exists(folder)) {
      return List.of();
    }
    try (var files = Files.list(folder)) {
      return files.map(file -> String.valueOf(file.getFileName())).toList();
    }
  }
}
