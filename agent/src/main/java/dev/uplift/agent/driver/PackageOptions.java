package dev.uplift.agent.driver;

import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Texts by name: the arguments of a release, or the settings of a host. A value that is not what it should be is
/// `invalid-argument` and names itself.
public record PackageOptions(SortedMap<String, String> texts) {
  public static final PackageOptions NONE = new PackageOptions(new TreeMap<>());

  public PackageOptions {
    texts = Collections.unmodifiableSortedMap(new TreeMap<>(texts));
  }

  public static PackageOptions of(Map<String, String> texts) {
    return new PackageOptions(new TreeMap<>(texts));
  }

  /// These options, completed by `others`.
  public PackageOptions withFallback(PackageOptions others) {
    var both = new TreeMap<>(others.texts);
    both.putAll(texts);
    return new PackageOptions(both);
  }

  /// Empty where nothing is said, or an empty text.
  public Optional<String> text(String name) {
    return Optional.ofNullable(texts.get(name)).filter(text -> !text.isBlank());
  }

  public long number(String name, long fallback) throws StepFailed {
    Optional<String> text = text(name);
    if (text.isEmpty()) {
      return fallback;
    }
    try {
      long number = Long.parseLong(text.get().strip());
      if (number >= 0) {
        return number;
      }
    } catch (NumberFormatException _) {
      // Said below, with the name.
    }
    throw invalid(name, "a whole number from 0 on");
  }

  /// The name says the unit: `…_seconds`.
  public Duration seconds(String name, Duration fallback) throws StepFailed {
    return Duration.ofSeconds(number(name, fallback.toSeconds()));
  }

  /// The name says the unit: `…_ms`.
  public Duration millis(String name, Duration fallback) throws StepFailed {
    return Duration.ofMillis(number(name, fallback.toMillis()));
  }

  public boolean flag(String name) throws StepFailed {
    return switch (text(name).orElse("false")) {
      case "true" -> true;
      case "false" -> false;
      default -> throw invalid(name, "true or false");
    };
  }

  public <E extends Enum<E>> E choice(String name, String word, E[] known) throws StepFailed {
    for (E each : known) {
      if (choiceName(each).equals(word)) {
        return each;
      }
    }
    throw invalid(name, "one of " + String.join(", ", Arrays.stream(known).map(PackageOptions::choiceName).toList()));
  }

  private static String choiceName(Enum<?> constant) {
    return constant.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  public StepFailed invalid(String name, String expected) {
    return StepFailed.fatal("invalid-argument", name + ": expected " + expected + ", found \"" + texts.get(name) + '"');
  }

  /// `health_timeout_seconds` of the arguments is `UPLIFT_ARG_HEALTH_TIMEOUT_SECONDS` in a program's environment.
  public void addToEnvironment(Map<String, String> environment, String prefix) {
    texts.forEach(
        (name, text) -> environment.put(prefix + name.toUpperCase(Locale.ROOT).replaceAll("[^A-Z0-9]", "_"), text));
  }
}
