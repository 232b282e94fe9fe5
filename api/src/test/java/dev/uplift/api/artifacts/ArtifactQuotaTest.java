package dev.uplift.api.artifacts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.artifacts.ArtifactFolder.UploadResult;
import dev.uplift.api.settings.ArtifactLimits;
import dev.uplift.api.testing.RawConnection;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestServer;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.api.testing.TestTokens;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A tenant fills its quota, not the disk of all.
final class ArtifactQuotaTest {
  private static final byte[] FIRST = TestArtifacts.randomBytes(700_000, 11);
  private static final byte[] SECOND = TestArtifacts.randomBytes(700_000, 12);

  /// The refused body is small enough to be sent before the answer, which ends the connection.
  @Test
  void aTenantWithItsQuotaFullIsRefusedWhileAnotherGoesOn() throws IOException {
    byte[] large = TestArtifacts.randomBytes(1_040_000, 13);
    byte[] small = TestArtifacts.randomBytes(20_000, 14);
    try (TestServer server = serverWithQuota()) {
      TestTenant full = server.newTenant();
      TestTenant other = server.newTenant();
      put(full, large).expectStatus(201);

      assertThat(put(full, small).expectStatus(507).detail())
          .isEqualTo("the artifacts of %s take 0 of the 1 MiB that it may have".formatted(full.name()));

      put(full, large).expectStatus(200);
      put(other, small).expectStatus(201);
      assertThat(files(server, full)).containsExactly(TestArtifacts.sha256(large));
    }
  }

  @Test
  void anUploadThatDoesNotSayItsLengthIsMeasured() throws IOException {
    try (TestServer server = serverWithQuota()) {
      TestTenant full = server.newTenant();
      put(full, FIRST).expectStatus(201);
      String head =
          "PUT %s HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-tar\r\nTransfer-Encoding: chunked\r\nAuthorization: Bearer %s\r\n\r\n"
              .formatted(full.path("artifacts/" + TestArtifacts.sha256(SECOND)), TestTokens.of(full.name(), "admin"));

      try (var connection = new RawConnection(server)) {
        String chunk = new String(SECOND, StandardCharsets.ISO_8859_1);
        connection.send(head + Integer.toHexString(SECOND.length) + "\r\n" + chunk + "\r\n0\r\n\r\n");
        assertThat(connection.readUntil("}")).startsWith("HTTP/1.1 507 ");
      }

      assertThat(files(server, full)).containsExactly(TestArtifacts.sha256(FIRST));
    }
  }

  @Test
  void whatIsReservedOnTheDiskStaysFree(@TempDir Path folder) throws IOException {
    var artifacts = new ArtifactFolder(folder, new ArtifactLimits(Long.MAX_VALUE, Long.MAX_VALUE));

    UploadResult result =
        artifacts.put("acme", TestArtifacts.sha256(FIRST), new ByteArrayInputStream(FIRST), FIRST.length, true);

    assertThat(result)
        .isInstanceOfSatisfying(
            UploadResult.NoSpace.class, noSpace -> assertThat(noSpace.reason()).contains("MiB left, of which"));
    assertThat(artifacts.size("acme", TestArtifacts.sha256(FIRST))).isEmpty();
  }

  @Test
  void uploadsThatAServerDidNotFinishAreDeletedAtTheNextStart(@TempDir Path folder) throws IOException {
    Path home = Files.createDirectories(folder.resolve("acme"));
    Path whole = Files.write(home.resolve(TestArtifacts.sha256(FIRST)), FIRST);
    Path running = Files.write(home.resolve(".part-1"), SECOND);
    Path brokenOff = Files.write(home.resolve(".part-2"), SECOND);
    FileTime longAgo = FileTime.from(Instant.now().minus(Duration.ofHours(2)));
    Files.setLastModifiedTime(brokenOff, longAgo);
    Files.setLastModifiedTime(whole, longAgo);

    ArtifactFolder _ = new ArtifactFolder(folder, new ArtifactLimits(Long.MAX_VALUE, 0));

    assertThat(home).isDirectoryNotContaining(brokenOff::equals);
    assertThat(List.of(whole, running)).allSatisfy(file -> assertThat(file).exists());
  }

  private static TestServer serverWithQuota() {
    ServerHome home = new ServerHome();
    Map<String, String> environment = home.environment();
    environment.put("UPLIFT_ARTIFACTS_TENANT_QUOTA_MIB", "1");
    environment.put("UPLIFT_ARTIFACTS_RESERVED_MIB", "0");
    return TestServer.of(home, environment);
  }

  private static TestResponse put(TestTenant testTenant, byte[] bytes) {
    return testTenant.admin().sendRaw("PUT", testTenant.path("artifacts/" + TestArtifacts.sha256(bytes)), bytes);
  }

  private static List<String> files(TestServer server, TestTenant testTenant) throws IOException {
    try (Stream<Path> files = Files.list(Path.of(server.home().path("artifacts"), testTenant.name()))) {
      return files.map(file -> file.getFileName().toString()).toList();
    }
  }
}
