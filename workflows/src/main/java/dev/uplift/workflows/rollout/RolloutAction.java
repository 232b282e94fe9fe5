package dev.uplift.workflows.rollout;

import static java.util.Objects.requireNonNullElse;

import dev.uplift.fleet.rollout.OperatorAction;
import java.util.List;
import java.util.Optional;

/// An action of an operator on a rollout.
///
/// @param id chosen by the caller: the same id is the same action
/// @param by who
/// @param reason why, in their own words; may be empty
/// @param wave which one, to `skip-remaining` and `roll-back-wave`; empty: the current one
/// @param devices which ones, to `skip-device` and `add-device`
/// @param errorCodes which first errors, to `retry-failed`; empty: all that failed
/// @param rules the new ones as the REST API has them, to `change-rules`
/// @param expectedRevision refused unless the rollout is at this revision; empty: whatever it is at
/// @param address that it came from; empty: not from a request
public record RolloutAction(
    String id,
    OperatorAction action,
    String by,
    String reason,
    Optional<Integer> wave,
    List<String> devices,
    List<String> errorCodes,
    Optional<String> rules,
    Optional<Long> expectedRevision,
    Optional<String> address) {

  public RolloutAction {
    errorCodes = List.copyOf(errorCodes);
    // An action of an earlier history names none.
    devices = List.copyOf(requireNonNullElse(devices, List.of()));
  }

  /// An action without further arguments.
  public static RolloutAction of(String id, OperatorAction action, String by, String remark) {
    return new RolloutAction(id, action, by, remark, Optional.empty(), List.of(), List.of(), Optional.empty());
  }

  /// One that holds whatever the rollout is at.
  public RolloutAction(
      String id,
      OperatorAction action,
      String by,
      String reason,
      Optional<Integer> wave,
      List<String> devices,
      List<String> errorCodes,
      Optional<String> rules) {
    this(id, action, by, reason, wave, devices, errorCodes, rules, Optional.empty(), Optional.empty());
  }

  /// This action, refused unless the rollout is at that revision.
  public RolloutAction withExpectedRevision(Optional<Long> revision) {
    return new RolloutAction(id, action, by, reason, wave, devices, errorCodes, rules, revision, address);
  }

  /// The result of this action if one with its id was carried out before: the same result, or a refusal if that was
  /// another action.
  ///
  /// @param done that action
  /// @param message of its result
  public ActionResult repeated(String done, String message) {
    return done.equals(action.toString())
        ? new ActionResult(true, message)
        : new ActionResult(
            false, "the Idempotency-Key %s is that of %s; another action needs another".formatted(id, done));
  }

  /// This action, of a request from that address.
  public RolloutAction from(String client) {
    return new RolloutAction(
        id, action, by, reason, wave, devices, errorCodes, rules, expectedRevision, Optional.of(client));
  }
}
