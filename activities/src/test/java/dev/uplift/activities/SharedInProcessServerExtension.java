package dev.uplift.activities;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Stops what all tests share after the last one, a server before the servers that it uses.
public final class SharedInProcessServerExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getRoot()
        .getStore(ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(SharedInProcessServerExtension.class, _ -> (AutoCloseable) InProcessServer::closeShared);
  }
}
