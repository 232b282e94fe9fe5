package dev.uplift.fleet.why;

import static dev.uplift.fleet.why.LinkEffect.BLOCKS;
import static dev.uplift.fleet.why.LinkEffect.INFORMS;
import static dev.uplift.fleet.why.LinkEffect.WAITS;

import dev.uplift.fleet.Reason;
import dev.uplift.fleet.UpgradeCheck;
import dev.uplift.fleet.why.ExplanationFacts.HostPresenceState;
import dev.uplift.fleet.why.ExplanationFacts.ObservedHost;
import dev.uplift.fleet.window.WindowOpening;
import dev.uplift.fleet.window.WindowSchedule;
import dev.uplift.fleet.window.WindowState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The links about what has to be so at the start of every upgrade, whatever wants it: windows, presence, and what the
/// upgrade itself would decline.
final class ConditionLinks {
  /// Refusals that have links of their own.
  private static final Set<String> TOLD_ELSEWHERE = Set.of("held", "pinned", "stopped");

  private ConditionLinks() {}

  static List<ExplanationLink> of(ExplanationFacts facts, Instant now) {
    List<ExplanationLink> links = new ArrayList<>();
    windowLink(facts, now).ifPresent(links::add);
    facts.hosts().forEach(host -> presenceLink(host).ifPresent(links::add));
    facts
        .refusal()
        .filter(reason -> !TOLD_ELSEWHERE.contains(reason.code()))
        .ifPresent(reason -> links.add(refusalLink(facts, reason)));
    return links;
  }

  private static Optional<ExplanationLink> windowLink(ExplanationFacts facts, Instant now) {
    WindowSchedule windows = facts.windows();
    if (windows.levels().stream().allMatch(List::isEmpty)) {
      return Optional.empty();
    }
    return Optional.of(
        switch (windows.stateAt(now)) {
          case WindowState.Open(WindowOpening opening) ->
              ExplanationLink.of(LinkWord.WINDOW_OPEN, INFORMS, "its maintenance window is open: " + opening)
                  .since(opening.opens())
                  .until(opening.closes())
                  .opening(opening);
          case WindowState.Closed(Optional<WindowOpening> next) ->
              next.map(opening ->
                      ExplanationLink.of(
                              LinkWord.WINDOW, WAITS, "its maintenance window is closed; it opens next: " + opening)
                          .until(opening.opens())
                          .opening(opening)
                          .remedy(
                              ("`uplift device windows %s` lists its openings; a person may start an upgrade with"
                                      + " --ignore-windows")
                                  .formatted(facts.device().name())))
                  .orElseGet(() ->
                      ExplanationLink.of(
                              LinkWord.NO_WINDOW,
                              BLOCKS,
                              "none of its maintenance windows opens within %d days"
                                  .formatted(WindowSchedule.HORIZON.toDays()))
                          .remedy(
                              "`uplift device windows %s` shows which windows apply".formatted(facts.device().name())));
        });
  }

  private static Optional<ExplanationLink> presenceLink(ObservedHost host) {
    if (host.presence() == HostPresenceState.ONLINE) {
      return Optional.empty();
    }
    return Optional.of(
        host.presence() == HostPresenceState.SILENT
            ? ExplanationLink.of(
                    LinkWord.OFFLINE, WAITS, "the host %s is not heard since %s".formatted(host.host(), host.since()))
                .since(host.since())
                .remedy(
                    "look at the host %s, its power and its network; it starts once it is heard".formatted(host.host()))
            : ExplanationLink.of(
                    LinkWord.PRESENCE_UNKNOWN,
                    WAITS,
                    "the server does not know yet whether the host %s is heard".formatted(host.host()))
                .since(host.since()));
  }

  private static ExplanationLink refusalLink(ExplanationFacts facts, Reason reason) {
    if (reason.code().equals("failed-before")) {
      return ExplanationLink.of(LinkWord.FAILED_BEFORE, BLOCKS, "it failed on this device: " + reason.message())
          .remedy(
              "`uplift device clear-failures %s --package %s --version %s --reason …` has it tried again"
                  .formatted(facts.device().name(), facts.packageName(), facts.wantedVersion().orElse("…")));
    }
    ExplanationLink link =
        ExplanationLink.of(
            LinkWord.DECLINED, BLOCKS, "it would be declined, %s: %s".formatted(reason.code(), reason.message()));
    return reason.code().equals(UpgradeCheck.DUPLICATE_HOST)
        ? link.remedy("one of the two machines has to join as another host")
        : link;
  }
}
