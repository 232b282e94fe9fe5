package dev.uplift.api.beans;

import dev.uplift.api.artifacts.ArtifactFolder;
import dev.uplift.api.settings.Settings;
import io.micronaut.context.annotation.Factory;
import jakarta.inject.Singleton;
import java.io.IOException;

/// The beans of this module whose constructors take settings. All others are classes with [Singleton].
@Factory
final class ApiBeans {
  @Singleton
  ArtifactFolder artifactFolder(Settings settings) throws IOException {
    return new ArtifactFolder(settings.artifactsFolder(), settings.artifactLimits());
  }
}
