package dev.uplift.api.call;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import dev.uplift.fleet.Release;
import dev.uplift.fleet.RolloutId;
import java.util.function.Supplier;

/// Ids that stand in a path. One that cannot be an id is refused, and told what one looks like.
public final class Ids {
  private Ids() {}

  public static DeviceId device(Call call, String device) {
    return checked("device", () -> new DeviceId(call.tenant(), device));
  }

  public static HostId host(String host) {
    return checked("host", () -> new HostId(host));
  }

  public static Release release(String packageName, String version) {
    return checked("version", () -> new Release(packageName, version));
  }

  public static RolloutId rollout(Call call, String rollout) {
    return checked("rollout", () -> new RolloutId(call.tenant(), rollout));
  }

  private static <T> T checked(String parameter, Supplier<T> id) {
    try {
      return id.get();
    } catch (IllegalArgumentException e) {
      throw Call.wrong(parameter, String.valueOf(e.getMessage()));
    }
  }
}
