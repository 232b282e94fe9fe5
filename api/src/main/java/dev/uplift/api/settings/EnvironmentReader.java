package dev.uplift.api.settings;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Environment variables, and what is wrong with them. Ask for a value after [#throwIfInvalid].
final class EnvironmentReader {
  private static final List<String> SERVER_PREFIXES =
      List.of(
          "UPLIFT_ARTIFACTS_",
          "UPLIFT_COMMAND_",
          "UPLIFT_DATABASE_",
          "UPLIFT_ENROLMENT_",
          "UPLIFT_JWT_",
          "UPLIFT_NATS_",
          "UPLIFT_PRESENCE_",
          "UPLIFT_RECONCILE_",
          "UPLIFT_ROLLOUTS_",
          "UPLIFT_TEMPORAL_",
          "UPLIFT_TIMEOUTS_");

  private final Map<String, String> environment;
  private final Set<String> known = new TreeSet<>();
  private final List<String> errors = new ArrayList<>();

  EnvironmentReader(Map<String, String> environment) {
    this.environment = environment;
  }

  /// A value that was read, or not.
  record Value<T>(@Nullable T found) {
    T get() {
      if (found == null) {
        throw new IllegalStateException("asked for before all was read");
      }
      return found;
    }

    T orElse(T other) {
      return found == null ? other : found;
    }

    Optional<T> asOptional() {
      return Optional.ofNullable(found);
    }
  }

  /// Reads a file that a variable names.
  @FunctionalInterface
  interface FileParser<T> {
    T read(Path file) throws IOException, GeneralSecurityException;
  }

  Value<String> text(String name) {
    return new Value<>(required(name));
  }

  Value<String> text(String name, String usual) {
    return new Value<>(lookUp(name).orElse(usual));
  }

  /// A value that is not just a text.
  ///
  /// @param parse throws an [IllegalArgumentException] that says what was expected
  <T> Value<T> value(String name, String usual, Function<String, T> parse) {
    String text = lookUp(name).orElse(usual);
    if (text.isEmpty()) {
      addMissing(name);
      return new Value<>(null);
    }
    return parsed(name, () -> parse.apply(text));
  }

  <T> Value<T> file(String name, FileParser<T> fileParser) {
    String path = required(name);
    return path == null ? new Value<>(null) : read(name, path, fileParser);
  }

  <T> Value<T> optionalFile(String name, FileParser<T> fileParser) {
    return lookUp(name).map(path -> read(name, path, fileParser)).orElseGet(() -> new Value<>(null));
  }

  /// Something that is made of values; nothing while one of them is missing.
  <T> Value<T> build(String name, Supplier<T> maker) {
    return errors.isEmpty() ? parsed(name, maker) : new Value<>(null);
  }

  private <T> Value<T> parsed(String name, Supplier<T> maker) {
    try {
      return new Value<>(maker.get());
    } catch (IllegalArgumentException e) {
      errors.add(name + ": " + e.getMessage());
      return new Value<>(null);
    }
  }

  private <T> Value<T> read(String name, String path, FileParser<T> fileParser) {
    try {
      return new Value<>(fileParser.read(Path.of(path)));
    } catch (NoSuchFileException _) {
      errors.add("%s: there is no %s".formatted(name, path));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      // Says what kind of thing is wrong; a secret is never part of it.
      errors.add("%s: %s: %s".formatted(name, path, e.getMessage()));
    }
    return new Value<>(null);
  }

  private Optional<String> lookUp(String name) {
    known.add(name);
    return Optional.ofNullable(environment.get(name)).filter(text -> !text.isBlank());
  }

  private @Nullable String required(String name) {
    Optional<String> found = lookUp(name);
    if (found.isEmpty()) {
      addMissing(name);
    }
    return found.orElse(null);
  }

  private void addMissing(String name) {
    errors.add(name + " is not set");
  }

  /// All variables that there are have been read.
  ///
  /// @throws InvalidSettings if one is wrong or missing, or is ours and unknown
  void throwIfInvalid() throws InvalidSettings {
    for (String name : new TreeSet<>(environment.keySet())) {
      if (isOfTheServer(name) && !known.contains(name)) {
        errors.add(name + " is not a setting of the server");
      }
    }
    if (!errors.isEmpty()) {
      throw new InvalidSettings(errors);
    }
  }

  /// Whether it looks like a setting of the server, misspelt perhaps. The command line has others.
  private static boolean isOfTheServer(String name) {
    return SERVER_PREFIXES.stream().anyMatch(name::startsWith);
  }
}
