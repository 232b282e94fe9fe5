package dev.uplift.agent;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Longer timeouts for tests on a busy machine. Applies to every test here that does not say otherwise.
public final class AwaitilityTimeoutExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }
}
