package dev.uplift.agent;

import dev.uplift.agent.download.LyingServer;
import dev.uplift.agent.driver.bundle.ShopHost;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.Host;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/// Hosts with a shop on them, and where its version 2.0 is fetched from.
final class ShopSite implements AutoCloseable {
  private static final byte[] ARCHIVE = ShopHost.archive("2.0");
  private static final ReleaseManifest RELEASE = ShopHost.release("2.0", ARCHIVE);

  private final Site site;
  private final LyingServer artifacts = new LyingServer(ARCHIVE);

  ShopSite(Site site) {
    this.site = site;
  }

  /// A host on which 1.0 works. Its agent is not started.
  Shop shop(String name) {
    Host host = site.stack.host(Site.TENANT, name);
    var shop = new ShopHost(host.packageFolder("shopd"), FileOps.onDisk());
    try {
      shop.install("1.0");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    host.has("shopd", "bundle", Map.of("folder", shop.shop().toString()))
        .with("beat_s", 20)
        .configure();
    return new Shop(this, host, shop);
  }

  Command send(Host host, Action action) throws Exception {
    return site.send(
        host,
        site.draft(action, RELEASE)
            .artifactUrl(artifacts.address())
            .digest(RELEASE.artifact().orElseThrow().sha256()));
  }

  Site site() {
    return site;
  }

  @Override
  public void close() {
    artifacts.close();
  }
}
