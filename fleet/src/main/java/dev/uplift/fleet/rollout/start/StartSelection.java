package dev.uplift.fleet.rollout.start;

import dev.uplift.fleet.rollout.Decision.Start;
import dev.uplift.fleet.rollout.Decision.Wait;
import dev.uplift.fleet.rollout.WaitReason;
import dev.uplift.fleet.rollout.plan.WindowRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/// The devices that are next, and what is in the way of the others.
///
/// @param start whose upgrade is started
/// @param prepare whose upgrade is started ahead of its window, to prepare
/// @param proceed prepared devices that are told to proceed
/// @param offline devices that would be next and are not heard
/// @param blocked why the others are not, the most frequent first
public record StartSelection(
    List<String> start,
    List<String> prepare,
    List<String> proceed,
    List<String> offline,
    List<BlockedDevices> blocked) {

  private static final Comparator<BlockedDevices> MOST_DEVICES_FIRST =
      Comparator.comparingInt(BlockedDevices::count).reversed().thenComparing(BlockedDevices::reason);

  public static final StartSelection NONE = new StartSelection(List.of(), List.of(), List.of(), List.of(), List.of());

  public StartSelection {
    start = List.copyOf(start);
    prepare = List.copyOf(prepare);
    proceed = List.copyOf(proceed);
    offline = List.copyOf(offline);
    blocked = List.copyOf(blocked);
  }

  /// Takes candidates in their order as long as there is room. A device in whose way something is does not hold up the
  /// next one.
  ///
  /// @param limits what the policy allows
  /// @param loads of the groups; grow by what is chosen
  public static StartSelection select(
      List<Candidate> candidates, Start limits, GroupLoads loads, WindowRule rule, Instant now) {
    Selector selector = new Selector(limits, loads, rule, now);
    candidates.forEach(selector::consider);
    return selector.selection();
  }

  /// The first of the candidates that is next.
  ///
  /// @throws java.util.NoSuchElementException if none is
  public String first(List<Candidate> candidates) {
    return candidates.stream()
        .map(Candidate::device)
        .filter(device -> start.contains(device) || prepare.contains(device) || proceed.contains(device))
        .findFirst()
        .orElseThrow();
  }

  public boolean isEmpty() {
    return start.isEmpty() && prepare.isEmpty() && proceed.isEmpty();
  }

  /// The wait of the rollout if no device is next, until the earliest time at which that changes.
  public Wait waitDecision() {
    return new Wait(
        blocked.isEmpty() ? WaitReason.UPGRADES_RUNNING : blocked.getFirst().reason(),
        blocked.stream().flatMap(blockedDevices -> blockedDevices.until().stream()).min(Comparator.naturalOrder()),
        blocked.stream().map(BlockedDevices::describe).collect(Collectors.joining("; ")));
  }

  /// This, with more devices that are blocked.
  public StartSelection withBlocked(List<BlockedDevices> more) {
    Map<WaitReason, BlockedDevices> all = new EnumMap<>(WaitReason.class);
    blocked.forEach(each -> all.put(each.reason(), each));
    more.forEach(each -> all.merge(each.reason(), each, BlockedDevices::merge));
    return new StartSelection(start, prepare, proceed, offline, mostFirst(all));
  }

  private static List<BlockedDevices> mostFirst(Map<WaitReason, BlockedDevices> blocked) {
    return blocked.values().stream().sorted(MOST_DEVICES_FIRST).toList();
  }

  private static final class Selector {
    private final Start limits;
    private final GroupLoads loads;
    private final WindowRule rule;
    private final Instant now;
    private final List<String> start = new ArrayList<>();
    private final List<String> prepare = new ArrayList<>();
    private final List<String> proceed = new ArrayList<>();
    private final List<String> offline = new ArrayList<>();
    private final Map<WaitReason, BlockedDevices> blocked = new EnumMap<>(WaitReason.class);

    Selector(Start limits, GroupLoads loads, WindowRule rule, Instant now) {
      this.limits = limits;
      this.loads = loads;
      this.rule = rule;
      this.now = now;
    }

    void consider(Candidate candidate) {
      findBlock(candidate)
          .or(() -> selectOrBlock(candidate))
          .ifPresent(found -> blocked.merge(found.reason(), found, BlockedDevices::merge));
    }

    private Optional<BlockedDevices> findBlock(Candidate one) {
      return blockedBy(one, WaitReason.DEVICE_HELD, one.heldBy(), "held by ")
          .or(() -> blockedBy(one, WaitReason.DEVICE_PINNED, one.pinnedBy(), ""))
          .or(() -> blockedBy(one, WaitReason.DEVICE_BUSY, one.busyWith(), "in "))
          .or(() -> blockedBy(one, WaitReason.LOWER_PRIORITY, one.outrankedBy(), "first comes "))
          .or(() ->
              one.notBefore()
                  .filter(now::isBefore)
                  .map(end -> blockedUntil(one, WaitReason.BACK_OFF, end, "again at " + end)));
    }

    /// Takes it, or says why not.
    private Optional<BlockedDevices> selectOrBlock(Candidate one) {
      CandidateWindow window = rule.mode() == WindowRule.Mode.IGNORE ? new CandidateWindow.Always() : one.window();
      return switch (window) {
        case CandidateWindow.Always() -> selectForStart(one);
        case CandidateWindow.Open(Instant closes) ->
            now.plus(rule.requiredTime()).isAfter(closes)
                ? Optional.of(
                    blockedUntil(one, WaitReason.WINDOW, closes, "its window closes at %s, too soon".formatted(closes)))
                : selectForStart(one);
        case CandidateWindow.Closed(Instant opens) -> selectForPrepare(one, opens);
        case CandidateWindow.Never() ->
            Optional.of(blockedWithoutEnd(one, WaitReason.NO_WINDOW, "no window before the deadline"));
      };
    }

    private Optional<BlockedDevices> selectForStart(Candidate one) {
      Optional<BlockedDevices> absent = findAbsence(one);
      if (absent.isPresent()) {
        return absent;
      }
      if (start.size() + proceed.size() >= limits.maxStarts()) {
        return Optional.of(blockedWithoutEnd(one, WaitReason.MAX_PARALLEL, "limit reached"));
      }
      if (!one.prepared() && startCount() >= limits.maxTotal()) {
        return Optional.of(blockedWithoutEnd(one, WaitReason.RATE_LIMIT, "started as fast as allowed"));
      }
      Optional<String> full = loads.findFullGroup(one);
      if (full.isPresent()) {
        return Optional.of(blockedWithoutEnd(one, WaitReason.GROUP_LIMIT, full.get()));
      }
      loads.add(one);
      (one.prepared() ? proceed : start).add(one.device());
      return Optional.empty();
    }

    private Optional<BlockedDevices> findAbsence(Candidate one) {
      return switch (one.presence()) {
        case CandidatePresence.Heard() -> Optional.empty();
        case CandidatePresence.Offline absent -> {
          offline.add(one.device());
          yield Optional.of(new BlockedDevices(WaitReason.OFFLINE, 1, Optional.empty(), absent.describe(one.device())));
        }
        case CandidatePresence.Unknown(String host, String reason) ->
            Optional.of(
                blockedWithoutEnd(
                    one, WaitReason.PRESENCE_UNKNOWN, "whether %s is heard is unknown: %s".formatted(host, reason)));
      };
    }

    private Optional<BlockedDevices> selectForPrepare(Candidate one, Instant opens) {
      Instant mayPrepare = opens.minus(rule.prepareAhead());
      boolean takes =
          !one.prepared()
              && !rule.prepareAhead().isZero()
              && !now.isBefore(mayPrepare)
              && prepare.size() < limits.maxPreparing()
              && startCount() < limits.maxTotal();
      if (takes) {
        Optional<BlockedDevices> absent = findAbsence(one);
        if (absent.isEmpty()) {
          prepare.add(one.device());
        }
        return absent;
      }
      boolean later = !one.prepared() && now.isBefore(mayPrepare);
      return Optional.of(
          blockedUntil(one, WaitReason.WINDOW, later ? mayPrepare : opens, "its window opens at " + opens));
    }

    private int startCount() {
      return start.size() + prepare.size();
    }

    StartSelection selection() {
      return new StartSelection(start, prepare, proceed, offline, mostFirst(blocked));
    }

    private static Optional<BlockedDevices> blockedBy(
        Candidate one, WaitReason reason, Optional<String> who, String words) {
      return who.map(name -> blockedWithoutEnd(one, reason, words + name));
    }

    private static BlockedDevices blockedWithoutEnd(Candidate one, WaitReason reason, String why) {
      return new BlockedDevices(reason, 1, Optional.empty(), one.device() + ": " + why);
    }

    private static BlockedDevices blockedUntil(Candidate one, WaitReason reason, Instant end, String why) {
      return new BlockedDevices(reason, 1, Optional.of(end), one.device() + ": " + why);
    }
  }
}
