package dev.uplift.services.upgrade;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.fleet.Release;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.store.release.ReleaseRow;
import java.util.Set;

/// What of a release never changes, and decides where it can be installed.
///
/// @param kind of driver
/// @param installsOver the versions that it can be installed over; empty for all
public record ReleaseFacts(Release release, String kind, long sequence, Set<String> installsOver) {
  public ReleaseFacts {
    installsOver = Set.copyOf(installsOver);
  }

  public static ReleaseFacts of(ReleaseRow row) {
    ReleaseManifest manifest = ReleaseManifest.read(row.manifest().getBytes(UTF_8));
    return new ReleaseFacts(row.release(), row.kind(), row.sequence(), Set.copyOf(manifest.installsOver()));
  }
}
