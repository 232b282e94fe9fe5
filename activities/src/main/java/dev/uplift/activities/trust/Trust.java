package dev.uplift.activities.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Root;
import dev.uplift.store.RootRow;
import dev.uplift.store.Roots;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// Whose word counts in each tenant.
public final class Trust {
  private final Roots roots;

  /// What was read last, which is read again only when there is another.
  private final Map<String, Root> known = new ConcurrentHashMap<>();

  public Trust(Roots roots) {
    this.roots = roots;
  }

  /// The newest root of a tenant, whoever has published it; empty where there is none yet.
  public Optional<Root> of(String tenant) {
    return roots.newest(tenant).map(this::read);
  }

  private Root read(RootRow row) {
    Root last = known.get(row.tenant());
    if (last != null && last.version() == row.version()) {
      return last;
    }
    Root root = Root.read(row.text().getBytes(UTF_8));
    known.put(row.tenant(), root);
    return root;
  }
}
