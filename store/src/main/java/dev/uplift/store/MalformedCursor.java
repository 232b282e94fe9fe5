package dev.uplift.store;

/// A cursor that no page of this list ended with.
public final class MalformedCursor extends RuntimeException {
  private static final long serialVersionUID = 1;

  MalformedCursor(String cursor) {
    super("not a cursor of this list: " + cursor);
  }
}
