package dev.uplift.api.request;

import dev.uplift.fleet.ChannelId;
import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.PackageName;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import dev.uplift.fleet.barrier.BarrierId;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.webhook.WebhookId;
import io.micronaut.context.annotation.Factory;
import io.micronaut.core.convert.ArgumentConversionContext;
import io.micronaut.core.type.Argument;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.bind.binders.PostponedRequestArgumentBinder;
import io.micronaut.http.bind.binders.TypedRequestArgumentBinder;
import io.micronaut.web.router.RouteAttributes;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/// Binds parameters of controllers to the ids in a path, which are made of several of its variables: the tenant and a
/// name. An invalid one is refused, and the answer says what a valid one looks like.
///
/// Such a parameter must not have the name of a path variable: the router would convert that variable alone.
@Factory
final class PathIdBinders {
  @Singleton
  PathIdBinder<DeviceId> device() {
    return new PathIdBinder<>(
        DeviceId.class, "device", path -> new DeviceId(variable(path, "tenant"), variable(path, "device")));
  }

  @Singleton
  PathIdBinder<HostId> host() {
    return new PathIdBinder<>(HostId.class, "host", path -> new HostId(variable(path, "host")));
  }

  @Singleton
  PathIdBinder<RolloutId> rollout() {
    return new PathIdBinder<>(
        RolloutId.class, "rollout", path -> new RolloutId(variable(path, "tenant"), variable(path, "rollout")));
  }

  @Singleton
  PathIdBinder<PolicyId> policy() {
    return new PathIdBinder<>(
        PolicyId.class, "policy", path -> new PolicyId(variable(path, "tenant"), variable(path, "policy")));
  }

  @Singleton
  PathIdBinder<BarrierId> barrier() {
    return new PathIdBinder<>(
        BarrierId.class, "barrier", path -> new BarrierId(variable(path, "tenant"), variable(path, "barrier")));
  }

  @Singleton
  PathIdBinder<WebhookId> webhook() {
    return new PathIdBinder<>(
        WebhookId.class, "webhook", path -> new WebhookId(variable(path, "tenant"), variable(path, "webhook")));
  }

  @Singleton
  PathIdBinder<Release> release() {
    return new PathIdBinder<>(
        Release.class, "version", path -> new Release(variable(path, "package"), variable(path, "version")));
  }

  @Singleton
  PathIdBinder<PackageName> packageName() {
    return new PathIdBinder<>(PackageName.class, "package", path -> new PackageName(variable(path, "package")));
  }

  @Singleton
  PathIdBinder<ChannelId> channel() {
    return new PathIdBinder<>(
        ChannelId.class, "channel", path -> new ChannelId(variable(path, "package"), variable(path, "channel")));
  }

  private static String variable(Map<String, Object> path, String name) {
    return String.valueOf(path.get(name));
  }

  /// Binds one type of id, after authentication.
  ///
  /// @param parameter of the path, for messages
  record PathIdBinder<T>(Class<T> type, String parameter, Function<Map<String, Object>, T> id)
      implements TypedRequestArgumentBinder<T>, PostponedRequestArgumentBinder<T> {
    @Override
    public Argument<T> argumentType() {
      return Argument.of(type);
    }

    @Override
    public BindingResult<T> bind(ArgumentConversionContext<T> context, HttpRequest<?> request) {
      Map<String, Object> path = RouteAttributes.getRouteMatch(request).orElseThrow().getVariableValues();
      T bound = RequestContext.parse(parameter, () -> id.apply(path));
      return () -> Optional.of(bound);
    }
  }
}
