package dev.uplift.activities.rollout;

import dev.uplift.activities.selection.Selection;
import dev.uplift.fleet.rollout.Fault;
import dev.uplift.fleet.rollout.Matcher;
import dev.uplift.fleet.rollout.Member;
import dev.uplift.store.Membership.LeftOut;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// What a selection takes of a fleet, and what of that takes part.
///
/// @param all so many devices there are
/// @param taken so many the selection is true of
/// @param in who takes part
/// @param leftOut who is taken and does not, by name
/// @param unasked how many devices could not be asked, by why
record Selected(
    int all, int taken, List<Site> in, List<LeftOut> leftOut, Map<String, Integer> unasked) {

  /// Reasons that another version would not have.
  private static final Set<String> OF_THE_RELEASE =
      Set.of("wrong-version", "downgrade", "no-driver");

  static Selected of(List<Site> fleet, Selection selection, LeavingOut leaving) {
    List<Site> in = new ArrayList<>();
    List<LeftOut> out = new ArrayList<>();
    Map<String, Integer> unasked = new TreeMap<>();
    for (Site site : fleet) {
      switch (selection.of(site.selectable())) {
        case Selection.Verdict.Unknown(String why) -> unasked.merge(why, 1, Integer::sum);
        case Selection.Verdict.Known(boolean yes) -> {
          if (yes) {
            leaving.out(site).ifPresentOrElse(out::add, () -> in.add(site));
          }
        }
      }
    }
    return new Selected(fleet.size(), in.size() + out.size(), in, out, unasked);
  }

  List<Member> members() {
    return in.stream().map(site -> new Member(site.name(), site.device().spec().labels())).toList();
  }

  /// For the expressions of waves, each of which has been compiled.
  Matcher matcher(Map<String, Selection> expressions) {
    Map<String, Site> byName = new HashMap<>();
    in.forEach(site -> byName.put(site.name(), site));
    return (expression, member) -> {
      Selection selection = expressions.get(expression);
      Site site = byName.get(member.device());
      return selection != null && site != null && selection.matches(site.selectable());
    };
  }

  /// Why nobody takes part: for the release itself, where it is that for all of them.
  Fault nobody(String release) {
    LeftOut one = leftOut.getFirst();
    return leftOut.stream().allMatch(out -> OF_THE_RELEASE.contains(out.reason()))
        ? new Fault(
            "/version",
            "%s can be installed on none of the %d devices that are selected, %s for one: %s"
                .formatted(release, taken, one.device(), one.detail()))
        : new Fault(
            "/selection",
            "takes %d devices and none of them takes part, %s for one: %s; expected at least one"
                .formatted(taken, one.device(), one.detail()));
  }

  List<String> warnings() {
    return unasked.entrySet().stream()
        .map(entry -> "not selected, %s: %d devices".formatted(entry.getKey(), entry.getValue()))
        .toList();
  }
}
