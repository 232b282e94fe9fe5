package dev.uplift.api.policies;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.policy.PolicyTarget;
import io.micronaut.core.annotation.Introspected;
import io.micronaut.core.bind.annotation.Bindable;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The target of a policy: one of the fields, and no more.
///
/// @param version this one and no other
/// @param atLeast this one or a newer one, by their sequence; what is older gets this one
/// @param channel the release that the channel of the package points at
/// @param offered what the repositories of each host offer, brought by the newest release of the package
@Introspected
record PolicyTargetRequest(
    @Nullable @NameOf(NameRule.VERSION) String version,
    @Nullable @NameOf(NameRule.VERSION) String atLeast,
    @Nullable @NameOf(NameRule.CHANNEL) String channel,
    @Bindable(defaultValue = "false") boolean offered)
    implements RequestBody {
  static PolicyTargetRequest of(PolicyTarget target) {
    return switch (target) {
      case PolicyTarget.Exactly(String version) -> new PolicyTargetRequest(version, null, null, false);
      case PolicyTarget.AtLeast(String version) -> new PolicyTargetRequest(null, version, null, false);
      case PolicyTarget.Channel(String name) -> new PolicyTargetRequest(null, null, name, false);
      case PolicyTarget.Offered() -> new PolicyTargetRequest(null, null, null, true);
    };
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    boolean isWrong = Stream.of("/version", "/at_least", "/channel").anyMatch(errors::has);
    if (!isWrong && targets() != 1) {
      errors.add("", "expected version, at_least, channel or offered, and one of them only");
    }
  }

  private long targets() {
    return Stream.of(version, atLeast, channel).filter(value -> value != null).count() + (offered ? 1 : 0);
  }

  /// Returns the target. To be called on one that was accepted.
  PolicyTarget target() {
    if (version != null) {
      return new PolicyTarget.Exactly(version);
    }
    if (atLeast != null) {
      return new PolicyTarget.AtLeast(atLeast);
    }
    return channel != null ? new PolicyTarget.Channel(channel) : new PolicyTarget.Offered();
  }
}
