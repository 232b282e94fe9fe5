package dev.uplift.cli.demo;

import dev.uplift.cli.local.Pause;
import dev.uplift.temporaldev.Host;
import dev.uplift.temporaldev.Tree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/// A host that serves shopd, asked over the network by anybody who wants to know.
final class Shop {
  private static final Duration PATIENCE = Duration.ofSeconds(2);

  private final Host host;
  private final int port;

  private Shop(Host host) {
    this.host = host;
    this.port = host.port("shopd");
  }

  /// shopd is installed as the driver `bundle` would have done it, and runs from boot on.
  static Shop withBundle(Host host, String version) {
    Path folder = host.packageFolder("shopd");
    ShopdBundle.of(version).writeTo(folder.resolve("versions").resolve(version));
    link(folder.resolve("current"), Path.of("versions", version));
    host.has("shopd", "bundle", Map.of());
    Shop shop = new Shop(host);
    shop.configure();
    host.atBoot(folder.resolve("current/bin/restart").toString());
    return shop;
  }

  /// shopd is a part of the system image, and runs from boot on.
  static Shop withSlots(Host host, String system, String version) {
    Kiosk.install(host, system, ShopdBundle.of(version));
    Shop shop = new Shop(host);
    shop.configure();
    return shop;
  }

  Host host() {
    return host;
  }

  String url() {
    return "http://127.0.0.1:" + port + "/version";
  }

  /// The version that answers, or why none does.
  String serves(HttpClient http) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url())).timeout(PATIENCE).build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body().strip() : "status " + answer.statusCode();
    } catch (IOException _) {
      return "no answer";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "not asked";
    }
  }

  /// What it serves as soon as it is `expected`, or in the end.
  String servesWithin(HttpClient http, String expected, Duration patience) {
    Instant until = Instant.now().plus(patience);
    String serves = serves(http);
    while (!serves.equals(expected) && Instant.now().isBefore(until)) {
      Pause.of(Duration.ofMillis(100));
      serves = serves(http);
    }
    return serves;
  }

  private void configure() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    new Tree()
        .file("etc/shopd.conf", "JAVA='" + java.replace("'", "'\\''") + "'\nPORT=" + port + "\n")
        .writeTo(host.folder());
  }

  private static void link(Path link, Path target) {
    try {
      Files.createSymbolicLink(link, target);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
