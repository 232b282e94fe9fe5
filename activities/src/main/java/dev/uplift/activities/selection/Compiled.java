package dev.uplift.activities.selection;

/// What became of an expression.
public sealed interface Compiled {
  record Right(Selection selection) implements Compiled {}

  record Wrong(Mistake mistake) implements Compiled {}
}
