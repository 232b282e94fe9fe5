package dev.uplift.fleet.why;

import static dev.uplift.fleet.why.LinkEffect.BLOCKS;
import static dev.uplift.fleet.why.LinkEffect.INFORMS;
import static dev.uplift.fleet.why.LinkEffect.WAITS;
import static dev.uplift.fleet.why.LinkEffect.WORKS;

import dev.uplift.fleet.why.ExplanationFacts.RunningUpgrade;
import dev.uplift.fleet.why.ExplanationFacts.StepWait;
import java.util.ArrayList;
import java.util.List;

/// The links about an upgrade that runs: its step in work, or what that waits for.
final class RunningLinks {
  private RunningLinks() {}

  static List<ExplanationLink> of(RunningUpgrade upgrade) {
    List<ExplanationLink> links = new ArrayList<>();
    upgrade
        .stuck()
        .ifPresent(why ->
            links.add(
                ExplanationLink.of(LinkWord.STUCK, BLOCKS, why)
                    .remedy(
                        "see the operator's page: a workflow whose task fails needs another version of the server")));
    upgrade
        .stopReason()
        .ifPresent(reason ->
            links.add(
                ExplanationLink.of(
                    LinkWord.FAILED, INFORMS, "it was stopped, %s: %s".formatted(reason.code(), reason.message()))));
    upgrade
        .pausedBy()
        .ifPresent(by ->
            links.add(
                ExplanationLink.of(LinkWord.PAUSED, BLOCKS, "%s paused the upgrade".formatted(by))
                    .remedy("`uplift upgrade resume %s` has it continue".formatted(upgrade.id()))));
    upgrade
        .unavailable()
        .ifPresent(why ->
            links.add(
                ExplanationLink.of(
                    LinkWord.UNKNOWN, WORKS, "it runs, and its step in work is not known: %s".formatted(why))));
    upgrade.waits().stream()
        .filter(wait -> wait.subject() != ExplanationFacts.WaitSubject.RESUME)
        .forEach(wait -> links.add(waitLink(upgrade, wait)));
    if (links.stream().allMatch(link -> link.effect() == INFORMS)) {
      links.add(
          ExplanationLink.of(
              LinkWord.STEP,
              WORKS,
              "it is in work, " + upgrade.phase().map(phase -> "in phase " + phase).orElse("and begins")));
    }
    return links;
  }

  private static ExplanationLink waitLink(RunningUpgrade upgrade, StepWait wait) {
    String id = upgrade.id();
    ExplanationLink link =
        switch (wait.subject()) {
          case HOST_WORK, SOAK -> link(LinkWord.STEP, WORKS, wait);
          case HOST_OFFLINE ->
              link(LinkWord.OFFLINE, WAITS, wait)
                  .remedy("look at the host %s: it sends no heartbeats".formatted(wait.host()));
          case PRESENCE -> link(LinkWord.PRESENCE_UNKNOWN, WAITS, wait);
          case DECISION ->
              link(LinkWord.DECISION, BLOCKS, wait)
                  .remedy(
                      "`uplift upgrade retry-step %s --host %s`, `skip-host` or `abort`".formatted(id, wait.host()));
          case RESUME -> link(LinkWord.PAUSED, BLOCKS, wait).remedy("`uplift upgrade resume %s`".formatted(id));
          case APPROVAL ->
              link(LinkWord.APPROVAL, BLOCKS, wait)
                  .remedy("another person than the author: `uplift upgrade approve %s`, or `deny`".formatted(id));
          case ROLLOUT -> link(LinkWord.TURN, WAITS, wait);
          case WINDOW -> link(LinkWord.WINDOW, WAITS, wait);
          case BACK_OFF -> link(LinkWord.BACK_OFF, WAITS, wait);
        };
    return link.since(wait.since()).until(wait.until());
  }

  private static ExplanationLink link(LinkWord word, LinkEffect effect, StepWait wait) {
    return ExplanationLink.of(word, effect, "step %s on %s: %s".formatted(wait.step(), wait.host(), wait.message()));
  }
}
