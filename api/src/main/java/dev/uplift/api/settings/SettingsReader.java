package dev.uplift.api.settings;

import io.micronaut.context.annotation.ConfigurationProperties;
import io.micronaut.core.beans.BeanIntrospection;
import io.micronaut.core.bind.annotation.Bindable;
import io.micronaut.core.naming.NameUtils;
import io.micronaut.core.type.Argument;
import io.micronaut.validation.validator.Validator;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Binds environment variables to the records of [ServerConfiguration] and [ConnectionConfiguration] and collects
/// everything that is wrong with them: Micronaut alone would stop at the first fault. Use what it returns only after
/// [#throwIfInvalid].
final class SettingsReader {
  private static final List<Class<?>> GROUPS =
      Stream.of(
              Stream.of(ServerConfiguration.class),
              Stream.of(ServerConfiguration.class.getDeclaredClasses()),
              Stream.of(ConnectionConfiguration.class.getDeclaredClasses()))
          .<Class<?>>flatMap(groups -> groups)
          .toList();

  /// Prefixes under which an unknown variable is a mistake. The command line and the agent have others.
  private static final List<String> PREFIXES =
      Stream.concat(
              GROUPS.stream().map(group -> variable(prefix(group)) + "_").filter(prefix -> !prefix.equals("UPLIFT_")),
              Stream.of("UPLIFT_RELEASE_"))
          .toList();

  private final Map<String, String> environment;
  private final Validator validator = Validator.getInstance();
  private final List<String> faults = new ArrayList<>();

  SettingsReader(Map<String, String> environment) {
    this.environment = environment;
  }

  /// A setting, for lists of them.
  ///
  /// @param standard its default, or what applies without it; empty where it is required
  record Description(String variable, String text, Optional<String> standard) {}

  /// Every setting of the server.
  static List<Description> describeAll() {
    return GROUPS.stream()
        .flatMap(group -> arguments(group).stream().map(argument -> describe(group, argument)))
        .toList();
  }

  private static Description describe(Class<?> group, Argument<?> argument) {
    var metadata = argument.getAnnotationMetadata();
    Optional<String> fixed = metadata.stringValue(Bindable.class, "defaultValue");
    return new Description(
        variable(group, argument),
        metadata.stringValue(SettingDescription.class).orElseThrow(),
        fixed.or(() -> metadata.stringValue(SettingDescription.class, "otherwise").filter(text -> !text.isEmpty())));
  }

  /// The group with the values of its variables; empty where one of them is missing or wrong.
  <T> Optional<T> read(Class<T> group) {
    Map<String, Object> values = new LinkedHashMap<>();
    int before = faults.size();
    for (Argument<?> argument : arguments(group)) {
      value(group, argument).ifPresent(value -> values.put(argument.getName(), value));
    }
    return faults.size() == before
        ? Optional.of(introspection(group).instantiate(values.values().toArray()))
        : Optional.empty();
  }

  private Optional<Object> value(Class<?> group, Argument<?> argument) {
    String variable = variable(group, argument);
    Optional<String> text =
        Optional.ofNullable(environment.get(variable))
            .filter(found -> !found.isBlank())
            .or(() -> argument.getAnnotationMetadata().stringValue(Bindable.class, "defaultValue"));
    if (argument.isOptional()) {
      Class<?> type = argument.getFirstTypeVariable().orElseThrow().getType();
      return Optional.of(text.flatMap(found -> parse(group, argument, variable, found, type)));
    }
    if (text.isEmpty()) {
      faults.add(variable + " is not set");
      return Optional.empty();
    }
    return parse(group, argument, variable, text.get(), argument.getType());
  }

  private Optional<Object> parse(Class<?> group, Argument<?> argument, String variable, String text, Class<?> type) {
    try {
      Object value = parse(text, type);
      Optional<String> violation =
          validator.validateValue(group, argument.getName(), value).stream()
              .map(found -> found.getMessage())
              .findFirst();
      violation.ifPresent(message -> faults.add(variable + ": " + message));
      return violation.isPresent() ? Optional.empty() : Optional.of(value);
    } catch (IllegalArgumentException e) {
      faults.add(variable + ": " + e.getMessage());
      return Optional.empty();
    }
  }

  private static Object parse(String text, Class<?> type) {
    if (type == Duration.class) {
      return duration(text);
    }
    if (type == Path.class) {
      return Path.of(text);
    }
    if (type == int.class) {
      return number(text);
    }
    return type == String.class ? text : ServerRole.parse(text);
  }

  private static int number(String text) {
    try {
      return Integer.parseInt(text);
    } catch (NumberFormatException _) {
      throw new IllegalArgumentException("expected a whole number, found " + text);
    }
  }

  private static Duration duration(String text) {
    try {
      Duration duration = Duration.parse(text);
      if (duration.isPositive()) {
        return duration;
      }
    } catch (DateTimeException _) {
      // Reported below.
    }
    throw new IllegalArgumentException("expected a duration such as PT30S or PT1H, found " + text);
  }

  /// Adds what is wrong with several settings together.
  void reject(Optional<String> fault) {
    fault.ifPresent(faults::add);
  }

  /// Reads what a setting names: a file or a folder.
  @FunctionalInterface
  interface FileParser<T> {
    T read(Path file) throws IOException, GeneralSecurityException;
  }

  /// Returns the contents of a file or folder; empty if there is none or it cannot be read.
  ///
  /// @param component of the group, which names it
  <T> Optional<T> file(Class<?> group, String component, Optional<Path> file, FileParser<T> parser) {
    return file.flatMap(path -> file(variable(prefix(group) + "." + NameUtils.hyphenate(component)), path, parser));
  }

  private <T> Optional<T> file(String variable, Path file, FileParser<T> parser) {
    try {
      return Optional.of(parser.read(file));
    } catch (NoSuchFileException _) {
      faults.add("%s: there is no %s".formatted(variable, file));
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      // Names the kind of fault; a secret is never part of it.
      faults.add("%s: %s: %s".formatted(variable, file, e.getMessage()));
    }
    return Optional.empty();
  }

  /// @throws InvalidSettings if a variable is missing or wrong, or is ours and unknown
  void throwIfInvalid() throws InvalidSettings {
    List<String> known = describeAll().stream().map(Description::variable).toList();
    for (String name : new TreeSet<>(environment.keySet())) {
      if (PREFIXES.stream().anyMatch(name::startsWith) && !known.contains(name)) {
        faults.add(name + " is not a setting of the server");
      }
    }
    if (!faults.isEmpty()) {
      throw new InvalidSettings(faults);
    }
  }

  private static List<Argument<?>> arguments(Class<?> group) {
    return List.of(introspection(group).getConstructorArguments());
  }

  private static <T> BeanIntrospection<T> introspection(Class<T> group) {
    return BeanIntrospection.getIntrospection(group);
  }

  private static String prefix(Class<?> group) {
    return group.getAnnotation(ConfigurationProperties.class).value();
  }

  private static String variable(Class<?> group, Argument<?> argument) {
    return variable(prefix(group) + "." + NameUtils.hyphenate(argument.getName()));
  }

  private static String variable(String property) {
    return property.replace('.', '_').replace('-', '_').toUpperCase(Locale.ROOT);
  }
}
