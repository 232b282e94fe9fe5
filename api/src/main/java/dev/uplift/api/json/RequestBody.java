package dev.uplift.api.json;

import java.time.Instant;

/// The body of a request: a record, `@Introspected`, whose components are its fields in snake_case.
///
/// A component is required unless it is `@Nullable` or has a `@Bindable` default. Constraints of
/// Jakarta Validation on components apply; [#check] has those that concern several fields.
/// [RequestBodyReader] binds it and reports all faults of a body at once.
public interface RequestBody {
  /// Reports faults that no single component has.
  ///
  /// Called even if other fields are wrong: these are read as absent, and required ones are then
  /// `null`.
  default void check(BodyErrors errors, Instant now) {}
}
