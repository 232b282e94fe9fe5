package dev.uplift.api.request;

import dev.uplift.store.Page;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// A part of a list.
///
/// @param nextCursor the `cursor` of the next part; absent at the end
@Serdeable
public record PageResponse<T>(List<T> items, Optional<String> nextCursor) {
  public static <R, T> PageResponse<T> of(Page<R> page, Function<R, T> view) {
    return new PageResponse<>(page.rows().stream().map(view).toList(), page.next());
  }
}
