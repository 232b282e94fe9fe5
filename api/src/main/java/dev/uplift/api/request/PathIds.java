package dev.uplift.api.request;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import java.util.function.Supplier;

/// Ids that stand in a path. One that cannot be an id is refused, and told what one looks like.
public final class PathIds {
  private PathIds() {}

  public static DeviceId device(RequestContext requestContext, String device) {
    return parse("device", () -> new DeviceId(requestContext.tenant(), device));
  }

  public static HostId host(String host) {
    return parse("host", () -> new HostId(host));
  }

  public static Release release(String packageName, String version) {
    return parse("version", () -> new Release(packageName, version));
  }

  public static RolloutId rollout(RequestContext requestContext, String rollout) {
    return parse("rollout", () -> new RolloutId(requestContext.tenant(), rollout));
  }

  private static <T> T parse(String parameter, Supplier<T> id) {
    try {
      return id.get();
    } catch (IllegalArgumentException e) {
      throw RequestContext.invalidParameter(parameter, String.valueOf(e.getMessage()));
    }
  }
}
