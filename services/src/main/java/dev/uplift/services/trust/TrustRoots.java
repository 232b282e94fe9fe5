package dev.uplift.services.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.TrustRoot;
import dev.uplift.store.release.ReleaseRow;
import dev.uplift.store.trust.TrustRootRepository;
import dev.uplift.store.trust.TrustRootRow;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/// The newest trust root of each tenant.
@Singleton
public final class TrustRoots {
  private final TrustRootRepository repository;

  /// The parsed roots that were asked for last, by tenant.
  private final Map<String, TrustRoot> cache = new ConcurrentHashMap<>();

  public TrustRoots(TrustRootRepository repository) {
    this.repository = repository;
  }

  /// Returns the newest root of a tenant; empty if there is none yet.
  public Optional<TrustRoot> newest(String tenant) {
    return repository.findNewest(tenant).map(this::read);
  }

  /// Returns the root of a version, which is not read again if it is the one that was asked for last.
  ///
  /// @param version 0 for none
  public Optional<TrustRoot> find(String tenant, long version) {
    if (version == 0) {
      return Optional.empty();
    }
    return Optional.ofNullable(cache.get(tenant))
        .filter(known -> known.version() == version)
        .or(() -> repository.find(tenant, version).map(this::read));
  }

  /// Returns why hosts would reject the signatures of this release: it was published under an earlier root. Empty if
  /// they would not, or if that is not known.
  public Optional<String> untrustedReason(ReleaseRow release) {
    return newest(release.tenant())
        .filter(trustRoot -> !trustRoot.verifyRelease(release.manifest().getBytes(UTF_8), release.signature()))
        .map(trustRoot ->
            "%s is signed by fewer than %d of the release keys of root %d; sign it again (`uplift keys sign`) and publish it"
                .formatted(
                    release.release(), trustRoot.roleKeys(TrustRoot.Role.RELEASE).threshold(), trustRoot.version()));
  }

  private TrustRoot read(TrustRootRow row) {
    TrustRoot last = cache.get(row.tenant());
    if (last != null && last.version() == row.version()) {
      return last;
    }
    TrustRoot trustRoot = TrustRoot.read(row.document().getBytes(UTF_8));
    cache.put(row.tenant(), trustRoot);
    return trustRoot;
  }
}
