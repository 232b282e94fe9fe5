package dev.uplift.agent.transport;

import io.nats.client.Options;
import io.nats.client.ServerPool;
import io.nats.client.support.NatsUri;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/// The addresses of NATS from the settings, one after the other, for ever. Addresses that servers announce are ignored,
/// because those are for servers, and their certificates do not name them.
///
/// Replaces the library's own pool, which loads `java.util.logging`.
final class ConfiguredServerPool implements ServerPool {
  private final List<NatsUri> servers = new ArrayList<>();
  private int next;

  @Override
  public synchronized void initialize(Options options) {
    servers.clear();
    servers.addAll(options.getNatsServerUris());
    next = ThreadLocalRandom.current().nextInt(servers.size());
  }

  @Override
  public boolean acceptDiscoveredUrls(List<String> discovered) {
    return false;
  }

  @Override
  public synchronized NatsUri peekNextServer() {
    return servers.get(next);
  }

  @Override
  public synchronized NatsUri nextServer() {
    NatsUri server = servers.get(next);
    next = (next + 1) % servers.size();
    return server;
  }

  /// They are connected to by name.
  @Override
  @SuppressWarnings("deprecation")
  public List<String> resolveHostToIps(String host) {
    return List.of();
  }

  @Override
  public void connectSucceeded(NatsUri server) {}

  @Override
  public void connectFailed(NatsUri server) {}

  @Override
  public synchronized List<String> getServerList() {
    List<String> list = new ArrayList<>();
    for (NatsUri each : servers) {
      list.add(each.toString());
    }
    return list;
  }

  @Override
  public synchronized boolean hasSecureServer() {
    for (NatsUri each : servers) {
      if (each.isSecure()) {
        return true;
      }
    }
    return false;
  }
}
