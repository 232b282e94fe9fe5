package dev.uplift.services;

import java.time.Duration;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// What a test awaits may take long where the machine has other things to do. In force for every
/// test here that does not say otherwise.
public final class AwaitTimeoutExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    Awaitility.setDefaultTimeout(Duration.ofSeconds(60));
  }
}
