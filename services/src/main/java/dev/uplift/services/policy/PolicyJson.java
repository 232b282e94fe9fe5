package dev.uplift.services.policy;

import dev.uplift.fleet.policy.PolicyRepeat;
import dev.uplift.fleet.policy.PolicyStart;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.fleet.policy.UnknownVersion;
import dev.uplift.services.rollout.RolloutJson;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.EnumNamingStrategies;
import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.json.JsonMapper;

/// What a policy asks for as the JSON that its row keeps. A field may be added to it, none removed or renamed. Not what
/// the REST API shows: that has words of its own.
public final class PolicyJson {
  private static final JsonMapper MAPPER =
      JsonMapper.builder()
          .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
          .enumNamingStrategy(EnumNamingStrategies.KEBAB_CASE)
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .build();

  /// The row's JSON.
  ///
  /// @param targetKind `version`, `at-least`, `channel` or `offered`
  /// @param targetValue empty if the kind says all
  /// @param repeat `each-window`, `cron`, or absent: always
  /// @param rollout JSON, as a rollout keeps it
  private record Stored(
      String targetKind,
      String targetValue,
      String selection,
      boolean everything,
      boolean fallback,
      Optional<Instant> start,
      long spreadOverSeconds,
      Optional<String> repeat,
      Optional<String> cron,
      Optional<String> cronZone,
      UnknownVersion unknownVersion,
      String rollout) {}

  private PolicyJson() {}

  public static String write(PolicySpec spec) {
    return MAPPER.writeValueAsString(
        new Stored(
            kind(spec.target()),
            value(spec.target()),
            spec.selection(),
            spec.everything(),
            spec.fallback(),
            spec.start().start(),
            spec.start().spreadOver().toSeconds(),
            repeat(spec.repeat()),
            spec.cron().map(PolicyRepeat.Cron::line),
            spec.cron().map(cron -> cron.zone().getId()),
            spec.unknownVersion(),
            RolloutJson.write(spec.rollout())));
  }

  private static Optional<String> repeat(PolicyRepeat repeat) {
    return switch (repeat) {
      case PolicyRepeat.Always _ -> Optional.empty();
      case PolicyRepeat.EachWindow _ -> Optional.of("each-window");
      case PolicyRepeat.Cron _ -> Optional.of("cron");
    };
  }

  private static PolicyRepeat repeat(Stored stored) {
    return switch (stored.repeat().orElse("")) {
      case "" -> new PolicyRepeat.Always();
      case "each-window" -> new PolicyRepeat.EachWindow();
      case "cron" -> new PolicyRepeat.Cron(stored.cron().orElseThrow(), ZoneId.of(stored.cronZone().orElseThrow()));
      default -> throw new IllegalArgumentException("repeat of a policy: " + stored.repeat());
    };
  }

  private static String kind(PolicyTarget target) {
    return switch (target) {
      case PolicyTarget.Exactly _ -> "version";
      case PolicyTarget.AtLeast _ -> "at-least";
      case PolicyTarget.Channel _ -> "channel";
      case PolicyTarget.Offered _ -> "offered";
    };
  }

  private static String value(PolicyTarget target) {
    return switch (target) {
      case PolicyTarget.Exactly(String version) -> version;
      case PolicyTarget.AtLeast(String version) -> version;
      case PolicyTarget.Channel(String name) -> name;
      case PolicyTarget.Offered _ -> "";
    };
  }

  /// Reads the text that [#write] has written.
  public static PolicySpec read(String text) {
    Stored stored = MAPPER.readValue(text, Stored.class);
    return new PolicySpec(
        target(stored),
        stored.selection(),
        stored.everything(),
        stored.fallback(),
        new PolicyStart(stored.start(), Duration.ofSeconds(stored.spreadOverSeconds())),
        repeat(stored),
        stored.unknownVersion(),
        RolloutJson.readSpec(stored.rollout()));
  }

  private static PolicyTarget target(Stored stored) {
    return switch (stored.targetKind()) {
      case "version" -> new PolicyTarget.Exactly(stored.targetValue());
      case "at-least" -> new PolicyTarget.AtLeast(stored.targetValue());
      case "channel" -> new PolicyTarget.Channel(stored.targetValue());
      case "offered" -> new PolicyTarget.Offered();
      default -> throw new IllegalArgumentException("target of a policy: " + stored.targetKind());
    };
  }
}
