package dev.uplift.services.selection;

/// What became of an expression.
public sealed interface CompiledSelection {
  record Valid(Selection selection) implements CompiledSelection {}

  record Invalid(SelectionError error) implements CompiledSelection {}
}
