package dev.uplift.api.testing;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Provides a server that all tests of this JVM share, because its start takes long. Each test has a tenant of its own
/// on the server without Temporal and NATS, and a device of its own on the live one.
public final class SharedServerExtension implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type.equals(TestServer.class) || type.equals(TestTenant.class) || type.equals(LiveServer.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    if (type.equals(LiveServer.class)) {
      return shared(context, LiveServer.class, LiveServer::new);
    }
    TestServer server = shared(context, TestServer.class, TestServer::withoutDependencies);
    return type.equals(TestTenant.class) ? server.newTenant() : server;
  }

  private static <T> T shared(ExtensionContext context, Class<T> type, Supplier<T> start) {
    return context
        .getStore(StoreScope.LAUNCHER_SESSION, ExtensionContext.Namespace.create(SharedServerExtension.class))
        .computeIfAbsent(type, _ -> start.get(), type);
  }
}
