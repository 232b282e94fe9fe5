package dev.uplift.api.beans;

import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.enrolment.TrustFiles;
import dev.uplift.api.settings.Settings;
import dev.uplift.store.trust.TrustRootRepository;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.util.Map;
import java.util.TreeMap;

/// The beans of this module whose constructors take settings. All others are classes with
/// [Singleton].
@Factory
final class ApiBeans {
  @Singleton
  TrustFiles trustFiles(TrustRootRepository trustRoots) {
    return tenant ->
        trustRoots
            .findNewest(tenant)
            .map(root -> new TreeMap<>(Map.of("root.json", root.document())))
            .orElseGet(TreeMap::new);
  }

  @Singleton
  ArtifactFolder artifactFolder(Settings settings) throws IOException {
    return new ArtifactFolder(settings.artifactsFolder());
  }
}
