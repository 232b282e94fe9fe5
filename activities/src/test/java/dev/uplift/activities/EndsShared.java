package dev.uplift.activities;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Ends what all tests share after the last of them, a server before the servers it works with.
public final class EndsShared implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(EndsShared.class, _ -> (AutoCloseable) World::closeShared);
  }
}
