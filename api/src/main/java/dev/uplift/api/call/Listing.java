package dev.uplift.api.call;

import dev.uplift.store.Page;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A part of a list.
///
/// @param next what to give as `cursor` to get the part after this one; absent at the end
@Serdeable
public record Listing<T>(List<T> items, Optional<String> next) {
  public static <R, T> Listing<T> of(Page<R> page, Function<R, T> view) {
    return new Listing<>(page.rows().stream().map(view).toList(), page.next());
  }
}
