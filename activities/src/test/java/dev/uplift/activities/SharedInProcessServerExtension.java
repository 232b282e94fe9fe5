package dev.uplift.activities;

import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;

/// Stops what all tests of this JVM share after the last one, a server before the servers that it uses.
public final class SharedInProcessServerExtension implements BeforeAllCallback {
  @Override
  public void beforeAll(ExtensionContext context) {
    context
        .getStore(StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.GLOBAL)
        .computeIfAbsent(SharedInProcessServerExtension.class, _ -> (AutoCloseable) InProcessServer::closeShared);
  }
}
