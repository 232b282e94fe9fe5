package dev.uplift.agent;

import dev.uplift.agent.download.FaultyHttpServer;
import dev.uplift.agent.driver.bundle.ShopHost;
import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Command;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.temporaldev.stack.StackHost;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;

/// Hosts with a shop on them, and where its version 2.0 is fetched from.
final class ShopTestbed implements AutoCloseable {
  private static final byte[] ARCHIVE = ShopHost.archive("2.0");
  private static final ReleaseManifest RELEASE = ShopHost.release("2.0", ARCHIVE);

  private final AgentTestbed testbed;
  private final FaultyHttpServer artifacts = new FaultyHttpServer(ARCHIVE);

  ShopTestbed(AgentTestbed testbed) {
    this.testbed = testbed;
  }

  /// A host on which 1.0 works. Its agent is not started.
  ShopAgent createShop(String name) {
    StackHost stackHost = testbed.stack.host(AgentTestbed.TENANT, name);
    var shopHost = new ShopHost(stackHost.packageFolder("shopd"), FileOps.onDisk());
    try {
      shopHost.install("1.0");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    stackHost
        .withPackage("shopd", "bundle", Map.of("folder", shopHost.shopFolder().toString()))
        .setting("heartbeat_seconds", 20)
        .writeConfig();
    return new ShopAgent(this, stackHost, shopHost);
  }

  Command send(StackHost stackHost, CommandAction commandAction) throws Exception {
    return testbed.send(
        stackHost,
        testbed
            .draft(commandAction, RELEASE)
            .artifactUrl(artifacts.address())
            .digest(RELEASE.artifact().orElseThrow().sha256()));
  }

  AgentTestbed testbed() {
    return testbed;
  }

  @Override
  public void close() {
    artifacts.close();
  }
}
