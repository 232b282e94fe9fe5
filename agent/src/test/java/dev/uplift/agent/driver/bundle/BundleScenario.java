package dev.uplift.agent.driver.bundle;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.agent.driver.FakeJob;
import dev.uplift.agent.driver.TestJobs;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.CommandResult;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// A host with version 1.0 of a shop, and servers for what is to follow.
@Timeout(300)
abstract class BundleScenario {
  static final CommandResult DONE = new CommandResult.Done();

  @TempDir Path folder;

  private final Map<String, FaultyHttpServer> servers = new HashMap<>();
  private final AtomicInteger commands = new AtomicInteger();
  ShopHost host = new ShopHost(Path.of(""), FileOps.onDisk());

  @BeforeEach
  void installFirst() throws IOException {
    host = new ShopHost(folder, FileOps.onDisk());
    host.install("1.0");
  }

  @AfterEach
  void close() {
    servers.values().forEach(FaultyHttpServer::close);
  }

  final ReleaseManifest serve(String version, byte[] archive) {
    return serve(version, archive, Map.of());
  }

  final ReleaseManifest serve(String version, byte[] archive, Map<String, String> arguments) {
    ReleaseManifest release = ShopHost.release(version, archive, arguments);
    servers.put(sha256(release), new FaultyHttpServer(archive));
    return release;
  }

  /// A version whose health command never passes, with a short timeout.
  final ReleaseManifest serveBroken(String version) {
    return serve(version, ShopHost.brokenArchive(version), Map.of("health_timeout_seconds", "1"));
  }

  final FaultyHttpServer server(ReleaseManifest release) {
    return Objects.requireNonNull(servers.get(sha256(release)));
  }

  private static String sha256(ReleaseManifest release) {
    return release.artifact().orElseThrow().sha256();
  }

  final FakeJob job(CommandAction commandAction, ReleaseManifest release) {
    String id = "bundle-" + commands.incrementAndGet();
    return host.job(id, commandAction, release.version(), release, server(release).address());
  }

  final CommandResult prepare(ReleaseManifest release) {
    return host.driver().prepare(job(CommandAction.PREPARE, release));
  }

  final CommandResult upgrade(ReleaseManifest release) {
    return host.driver().upgrade(job(CommandAction.UPGRADE, release));
  }

  final CommandResult upgrade(String id, ReleaseManifest release) {
    return host.driver().upgrade(host.job(id, CommandAction.UPGRADE, release.version(), release, "http://nowhere"));
  }

  final CommandResult rollback(String before, ReleaseManifest release) {
    // A version installed by hand runs with the arguments of the version that is rolled back.
    var arguments = new TreeMap<>(release.arguments());
    arguments.put("health_timeout_seconds", "60");
    ReleaseManifest patient = TestJobs.release(release.kind(), release.version(), release.artifact(), arguments);
    return host.driver().rollback(TestJobs.job(CommandAction.ROLLBACK, before, patient));
  }

  static String failure(CommandResult commandResult) {
    return commandResult instanceof CommandResult.Failed(String code, WireErrorClass wireErrorClass, String _)
        ? code + " " + wireErrorClass.name().toLowerCase(Locale.ROOT).replace('_', '-')
        : commandResult.toString();
  }
}
