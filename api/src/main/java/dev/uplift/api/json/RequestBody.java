package dev.uplift.api.json;

import java.time.Instant;

/// The body of a request, or an object in it: a record, `@Introspected`, whose components are its fields in snake_case,
/// or with the name that `@JsonProperty` gives them.
///
/// A component is required unless it is `@Nullable`, an `Optional`, a [Patch] or has a `@Bindable` default. `null` is a
/// value of an `Optional` and of a [Patch] only. A component of type `ObjectNode` is no field: it has the object as it
/// was sent. A primitive needs a default.
///
/// Constraints of Jakarta Validation on components apply; [#check] has those that concern several fields.
/// [RequestBinder] reports all faults of a body at once.
public interface RequestBody {
  /// Reports faults that no single component has.
  ///
  /// Called even if other fields are wrong: these are read as absent, and required ones are then `null`.
  default void check(BodyErrors errors, Instant now) {}
}
