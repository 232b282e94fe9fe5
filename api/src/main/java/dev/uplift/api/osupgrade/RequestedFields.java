package dev.uplift.api.osupgrade;

import dev.uplift.api.request.RequestContext;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// The fields of a response that a request asks for.
record RequestedFields(Set<String> names) {
  static final String PARAMETER = "fields";

  /// The names in the parameter `fields`, separated by commas; without it, all.
  ///
  /// @param known those that there are
  static RequestedFields of(RequestContext requestContext, List<String> known) {
    return new RequestedFields(
        requestContext
            .queryText(PARAMETER)
            .map(text -> RequestContext.parse(PARAMETER, () -> names(text, known)))
            .orElseGet(() -> Set.copyOf(known)));
  }

  private static Set<String> names(String text, List<String> known) {
    Set<String> names = new LinkedHashSet<>(List.of(text.split(",", -1)));
    if (!known.containsAll(names)) {
      throw new IllegalArgumentException(
          "expected some of %s, separated by commas".formatted(String.join(", ", known)));
    }
    return names;
  }

  /// Returns these without all others than the given ones.
  RequestedFields only(List<String> others) {
    Set<String> both = new LinkedHashSet<>(names);
    both.retainAll(others);
    return new RequestedFields(both);
  }

  /// Returns the value of a field, which is not computed unless it is asked for.
  <T> Optional<T> ifRequested(String name, Supplier<T> value) {
    return names.contains(name) ? Optional.of(value.get()) : Optional.empty();
  }
}
