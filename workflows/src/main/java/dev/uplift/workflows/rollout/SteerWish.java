package dev.uplift.workflows.rollout;

import dev.uplift.fleet.rollout.Steer;
import java.util.List;
import java.util.Optional;

/// What a person wants of a rollout.
///
/// @param id that the caller chose: the same id is the same wish
/// @param by who
/// @param remark why, in their own words; may be empty
/// @param wave which one, to `mark-done` and `roll-back-wave`; empty: the current one
/// @param device which one, to `skip-device` and `add-device`
/// @param codes which first errors, to `retry-failed`; empty: all that failed
/// @param rules the new ones as the REST API has them, to `change-rules`
/// @param ifRevision refused unless the rollout is at this revision; empty: whatever it is at
public record SteerWish(
    String id,
    Steer what,
    String by,
    String remark,
    Optional<Integer> wave,
    Optional<String> device,
    List<String> codes,
    Optional<String> rules,
    Optional<Long> ifRevision) {

  public SteerWish {
    codes = List.copyOf(codes);
  }

  /// A wish that needs no more words.
  public static SteerWish of(String id, Steer what, String by, String remark) {
    return new SteerWish(
        id, what, by, remark, Optional.empty(), Optional.empty(), List.of(), Optional.empty());
  }

  /// One that holds whatever the rollout is at.
  public SteerWish(
      String id,
      Steer what,
      String by,
      String remark,
      Optional<Integer> wave,
      Optional<String> device,
      List<String> codes,
      Optional<String> rules) {
    this(id, what, by, remark, wave, device, codes, rules, Optional.empty());
  }

  /// The same, refused unless the rollout is at that revision.
  public SteerWish at(Optional<Long> revision) {
    return new SteerWish(id, what, by, remark, wave, device, codes, rules, revision);
  }
}
