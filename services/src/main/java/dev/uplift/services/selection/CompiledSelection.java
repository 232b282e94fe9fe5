package dev.uplift.services.selection;

/// The result of compiling an expression.
public sealed interface CompiledSelection {
  record Valid(Selection selection) implements CompiledSelection {}

  record Invalid(SelectionError error) implements CompiledSelection {}
}
