package dev.uplift.temporaldev.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.temporaldev.file.FileTree;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The service that the demo upgrades, on a folder that plays its host.
class ShopdBundleTest {
  @TempDir private Path host;
  private int port;

  @BeforeEach
  void aHostWithTwoVersions() throws IOException {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    new FileTree()
        .addFile("etc/shopd.conf", "JAVA='" + java + "'\nPORT=" + port + "\n")
        .addAll("versions/1.4.0", ShopdBundle.of("1.4.0"))
        .addAll("versions/1.6.0", ShopdBundle.withoutPrices("1.6.0"))
        .writeTo(host);
  }

  @AfterEach
  void nothingStaysRunning() throws Exception {
    assertThat(run("1.4.0", "stop")).startsWith("0");
  }

  @Test
  void whatIsStartedServesItsVersionAndIsWell() throws Exception {
    assertThat(run("1.4.0", "restart")).startsWith("0");

    assertThat(served("/version")).isEqualTo("1.4.0\n");
    assertThat(served("/")).contains("bread,2.90");
    assertThat(run("1.4.0", "health")).isEqualTo("0 200: 1.4.0 is healthy\n");
  }

  @Test
  void anotherVersionTakesItsPlaceAndIsNotWellWithoutPrices() throws Exception {
    assertThat(run("1.4.0", "restart")).startsWith("0");
    assertThat(run("1.6.0", "restart")).startsWith("0");

    assertThat(served("/version")).isEqualTo("1.6.0\n");
    assertThat(run("1.6.0", "health")).isEqualTo("1 503: 1.6.0 has no price list\n");
    assertThat(run("1.4.0", "health")).startsWith("1");
  }

  @Test
  void whatCannotStartSaysWhy() throws Exception {
    try (var _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
      assertThat(run("1.4.0", "restart")).startsWith("1 shopd did not start:").contains("Address already in use");
    }
  }

  @Test
  void whatDoesNotRunIsNotWellAndCanBeStopped() throws Exception {
    assertThat(run("1.4.0", "health")).startsWith("2 no response on port " + port);
    assertThat(run("1.4.0", "stop")).isEqualTo("0 ");
  }

  /// Exit code and output.
  private String run(String version, String program) throws IOException, InterruptedException {
    Path file = host.resolve("versions").resolve(version).resolve("bin").resolve(program);
    Process process = new ProcessBuilder(file.toString()).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    return process.waitFor() + " " + said;
  }

  private String served(String path) throws IOException {
    try (var in = URI.create("http://127.0.0.1:" + port + path).toURL().openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }
}
