package dev.uplift.services;

import dev.uplift.fleet.Release;
import dev.uplift.protocol.ReleaseManifest;
import dev.uplift.store.release.NewRelease;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Releases in the tables, without artifact and without signature.
public final class TestReleases {
  private TestReleases() {}

  public static void publish(Repositories repositories, Release release, long sequence) {
    var manifest =
        new ReleaseManifest(
            release.packageName(),
            "simulated",
            release.version(),
            sequence,
            Optional.empty(),
            new TreeMap<>(),
            List.of(),
            Instant.EPOCH);
    repositories
        .releases()
        .put(
            new NewRelease(
                TestStacks.TENANT,
                release,
                manifest.kind(),
                sequence,
                new String(manifest.write(), StandardCharsets.UTF_8),
                "no signature\n",
                Optional.empty(),
                Instant.EPOCH));
  }
}
