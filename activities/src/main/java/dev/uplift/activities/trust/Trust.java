package dev.uplift.activities.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.Root;
import dev.uplift.store.ReleaseRow;
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

  /// Why no host would begin with this release as it is signed: it came in under an earlier root.
  /// Empty where hosts would, or where nobody knows.
  public Optional<String> doubt(ReleaseRow release) {
    return of(release.tenant())
        .filter(root -> !root.hasRelease(release.text().getBytes(UTF_8), release.signature()))
        .map(root ->
            "%s is signed by fewer than %d of the release keys of root %d; sign it anew (`uplift keys sign`) and publish it again"
                .formatted(
                    release.release(),
                    root.holders(Root.Role.RELEASE).threshold(),
                    root.version()));
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
