package dev.uplift.api.testing;

import java.util.function.Supplier;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives tests a server that all of them share, for its start is what takes time. Each test makes a
/// tenant of its own on the one without Temporal and NATS, a device of its own on the live one.
public final class SharedServerExtension implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type.equals(TestServer.class)
        || type.equals(TestTenant.class)
        || type.equals(LiveServer.class);
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
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(SharedServerExtension.class))
        .computeIfAbsent(type, _ -> start.get(), type);
  }
}
