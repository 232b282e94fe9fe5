package dev.uplift.api.policies;

import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import dev.uplift.fleet.policy.PolicyTarget;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// The version that a policy asks for: one of the fields, and no more.
///
/// @param version this one and no other
/// @param atLeast this one or a newer one, by their sequence; what is older gets this one
/// @param channel the release that the channel of the package points at
@Introspected
record PolicyTargetRequest(
    @Nullable @NameOf(NameRule.VERSION) String version,
    @Nullable @NameOf(NameRule.VERSION) String atLeast,
    @Nullable @NameOf(NameRule.CHANNEL) String channel)
    implements RequestBody {
  static PolicyTargetRequest of(PolicyTarget target) {
    return switch (target) {
      case PolicyTarget.Exactly(String version) -> new PolicyTargetRequest(version, null, null);
      case PolicyTarget.AtLeast(String version) -> new PolicyTargetRequest(null, version, null);
      case PolicyTarget.Channel(String name) -> new PolicyTargetRequest(null, null, name);
    };
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    boolean isWrong = Stream.of("/version", "/at_least", "/channel").anyMatch(errors::has);
    if (!isWrong && Stream.of(version, atLeast, channel).filter(value -> value != null).count() != 1) {
      errors.add("", "expected version, at_least or channel, and one of them only");
    }
  }

  /// Returns the target. To be called on one that was accepted.
  PolicyTarget target() {
    if (version != null) {
      return new PolicyTarget.Exactly(version);
    }
    return atLeast != null ? new PolicyTarget.AtLeast(atLeast) : new PolicyTarget.Channel(String.valueOf(channel));
  }
}
