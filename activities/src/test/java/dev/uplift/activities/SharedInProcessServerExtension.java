package dev.uplift.activities;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Ends what all tests share after the last of them, a server before the servers it works with.
public final class SharedInProcessServerExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(
            SharedInProcessServerExtension.class,
            _ -> (AutoCloseable) InProcessServer::closeShared);
  }
}
