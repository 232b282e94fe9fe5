package dev.uplift.store;

import java.util.List;
import java.util.Optional;

/// A part of a list. Rows that come or go between two pages are missed or not, but no other row is shown twice or left
/// out.
///
/// @param next the cursor of the page after this one; empty at the end
public record Page<T>(List<T> rows, Optional<String> next) {
  public Page {
    rows = List.copyOf(rows);
  }
}
