package dev.uplift.api.server;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/// Gives tests a server that all of them share, for its start is what takes time. Each test makes a
/// tenant of its own.
public final class SharedServer implements ParameterResolver {
  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type.equals(TestServer.class) || type.equals(Tenant.class);
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    TestServer server =
        context
            .getRoot()
            .getStore(ExtensionContext.Namespace.create(SharedServer.class))
            .computeIfAbsent(TestServer.class, _ -> TestServer.alone(), TestServer.class);
    return parameter.getParameter().getType().equals(Tenant.class) ? server.newTenant() : server;
  }
}
