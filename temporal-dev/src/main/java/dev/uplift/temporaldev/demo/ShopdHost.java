package dev.uplift.temporaldev.demo;

import dev.uplift.temporaldev.file.FileTree;
import dev.uplift.temporaldev.process.Poller;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.apache.commons.io.function.Uncheck;

/// A host that serves shopd over the network.
final class ShopdHost {
  private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(2);
  private static final Duration POLL_INTERVAL = Duration.ofMillis(100);

  private final StackHost host;
  private final int port;

  private ShopdHost(StackHost host) {
    this.host = host;
    this.port = host.servicePort("shopd");
  }

  /// Installs shopd like the driver `bundle`, started at boot.
  static ShopdHost withBundle(StackHost stackHost, String version) {
    Path folder = stackHost.packageFolder("shopd");
    ShopdBundle.of(version).writeTo(folder.resolve("versions").resolve(version));
    Uncheck.run(() -> Files.createSymbolicLink(folder.resolve("current"), Path.of("versions", version)));
    stackHost.withPackage("shopd", "bundle", Map.of());
    ShopdHost shopdHost = new ShopdHost(stackHost);
    shopdHost.configure();
    stackHost.onBoot(folder.resolve("current/bin/restart").toString());
    return shopdHost;
  }

  /// Installs shopd as a part of the system image, started at boot.
  static ShopdHost withKioskImage(StackHost stackHost, String system, String version) {
    KioskHost.install(stackHost, system, ShopdBundle.of(version));
    ShopdHost shopdHost = new ShopdHost(stackHost);
    shopdHost.configure();
    return shopdHost;
  }

  StackHost host() {
    return host;
  }

  String url() {
    return "http://127.0.0.1:" + port + "/version";
  }

  /// Returns the version that is served, or why none is.
  String servedVersion(HttpClient http) {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url())).timeout(REQUEST_TIMEOUT).build();
    try {
      HttpResponse<String> answer = http.send(request, BodyHandlers.ofString());
      return answer.statusCode() == 200 ? answer.body().strip() : "status " + answer.statusCode();
    } catch (IOException _) {
      return "no answer";
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  }

  /// Blocks until the expected version is served or the time-out has passed. Returns the version that is served then.
  String awaitVersion(HttpClient http, String expected, Duration timeout) {
    return new Poller<>(() -> servedVersion(http), POLL_INTERVAL, timeout).poll(expected::equals).last();
  }

  private void configure() {
    String java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    new FileTree()
        .addFile("etc/shopd.conf", "JAVA='" + java.replace("'", "'\\''") + "'\nPORT=" + port + "\n")
        .writeTo(host.folder());
  }
}
