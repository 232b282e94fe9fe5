package dev.uplift.fleet.why;

import static dev.uplift.fleet.why.LinkEffect.BLOCKS;
import static dev.uplift.fleet.why.LinkEffect.INFORMS;
import static dev.uplift.fleet.why.LinkEffect.WAITS;
import static dev.uplift.fleet.why.LinkEffect.WORKS;

import dev.uplift.fleet.rollout.RolloutState;
import dev.uplift.fleet.rollout.TargetResult;
import dev.uplift.fleet.why.ExplanationFacts.MemberRollout;
import dev.uplift.fleet.why.ExplanationFacts.MemberTarget;
import dev.uplift.fleet.why.ExplanationFacts.RolloutPause;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The links about the rollout that is to upgrade a device, and about one that does nothing about it any more.
final class RolloutLinks {
  private RolloutLinks() {}

  static List<ExplanationLink> of(ExplanationFacts facts, MemberRollout rollout, Instant now) {
    List<ExplanationLink> links = new ArrayList<>();
    facts.rollouts().stream()
        .filter(other -> !other.name().equals(rollout.name()) && other.isWaitedFor())
        .forEach(other ->
            links.add(
                ExplanationLink.of(
                        LinkWord.LOWER_PRIORITY,
                        INFORMS,
                        "the rollout %s wants %s there as well, and comes after %s"
                            .formatted(other.name(), other.version(), rollout.name()))
                    .remedy("the rollout with the higher priority comes first, then the older one")));
    stateLink(rollout).ifPresent(links::add);
    if (rollout.state() == RolloutState.RUNNING) {
      waveLink(rollout)
          .or(() -> rollout.target().flatMap(target -> targetLink(rollout, target, now)))
          .ifPresent(links::add);
    } else {
      rollout.target().flatMap(RolloutLinks::progressLink).ifPresent(links::add);
    }
    return links;
  }

  private static Optional<ExplanationLink> stateLink(MemberRollout rollout) {
    String name = rollout.name();
    String said = rollout.pause().map(wait -> ": " + wait.message()).orElse("");
    Optional<ExplanationLink> link =
        switch (rollout.state()) {
          case DRAFT, RUNNING, ENDED -> Optional.empty();
          case PLANNED ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.PLANNED,
                          WAITS,
                          "the rollout %s has not started%s"
                              .formatted(name, rollout.startAt().map(at -> "; it starts at " + at).orElse("")))
                      .until(rollout.startAt())
                      .remedy("`uplift rollout start %s` starts it now".formatted(name)));
          case WAITING_APPROVAL ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.APPROVAL, BLOCKS, "the rollout %s waits for an approval%s".formatted(name, said))
                      .remedy(
                          "another person than its authors: `uplift rollout approve %s`, or `deny`".formatted(name)));
          case PAUSED ->
              Optional.of(
                  ExplanationLink.of(
                          rollout.byThreshold() ? LinkWord.THRESHOLD : LinkWord.PAUSED,
                          BLOCKS,
                          "the rollout %s is paused%s".formatted(name, said))
                      .remedy(
                          (rollout.byThreshold()
                                  ? "see `uplift rollout failures %1$s`; `uplift rollout resume %1$s` has it continue"
                                  : "`uplift rollout resume %s` has it continue")
                              .formatted(name)));
          case ROLLING_BACK ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.ROLLING_BACK, BLOCKS, "the rollout %s reverts a wave%s".formatted(name, said))
                      .remedy("it is paused afterwards: then `uplift rollout resume %s` or `abort`".formatted(name)));
          case ABORTING ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.ABORTING,
                          BLOCKS,
                          "the rollout %s was aborted and starts nothing more%s".formatted(name, said))
                      .remedy("start another rollout"));
        };
    return link.map(found ->
        rollout.pause().map(wait -> found.since(wait.since()).until(wait.until().or(found::until))).orElse(found));
  }

  private static Optional<ExplanationLink> waveLink(MemberRollout rollout) {
    if (rollout.wave() <= rollout.currentWave()) {
      return Optional.empty();
    }
    ExplanationLink link =
        ExplanationLink.of(
                LinkWord.EARLIER_WAVE,
                WAITS,
                "the device is in wave %d, and wave %d is not done%s"
                    .formatted(
                        rollout.wave(),
                        rollout.currentWave(),
                        rollout.pause().map(wait -> ": " + wait.message()).orElse("")))
            .remedy("`uplift rollout next-wave %s --reason …` begins the next wave at once".formatted(rollout.name()));
    return Optional.of(rollout.pause().map(wait -> link.since(wait.since()).until(wait.until())).orElse(link));
  }

  private static Optional<ExplanationLink> targetLink(MemberRollout rollout, MemberTarget target, Instant now) {
    Optional<ExplanationLink> progress = progressLink(target);
    if (progress.isPresent()) {
      return progress;
    }
    if (target.offlineSince().isPresent()) {
      return Optional.of(
          ExplanationLink.of(LinkWord.OFFLINE, WAITS, "its turn had come, and a host of it was not heard")
              .since(target.offlineSince())
              .remedy("it starts once all of its hosts are heard"));
    }
    if (target.notBefore().filter(now::isBefore).isPresent()) {
      return Optional.of(
          ExplanationLink.of(LinkWord.BACK_OFF, WAITS, "attempt %d starts later".formatted(target.attempt()))
              .until(target.notBefore()));
    }
    return rollout.pause().flatMap(wait -> placeLink(rollout, wait));
  }

  private static Optional<ExplanationLink> progressLink(MemberTarget target) {
    return switch (target.state()) {
      case STARTING ->
          Optional.of(
              ExplanationLink.of(LinkWord.STEP, WORKS, "its upgrade is being started").since(target.startedAt()));
      case STARTED, PROCEEDING ->
          Optional.of(
              ExplanationLink.of(LinkWord.STEP, WORKS, "its upgrade is over, and the rollout is about to record that")
                  .since(target.startedAt()));
      case REVERT_PENDING, REVERTING ->
          Optional.of(
              ExplanationLink.of(LinkWord.ROLLING_BACK, WORKS, "its upgrade is being reverted with its wave")
                  .since(target.endedAt()));
      case PENDING, ENDED, SKIPPED, REVERTED -> Optional.empty();
    };
  }

  private static Optional<ExplanationLink> placeLink(MemberRollout rollout, RolloutPause wait) {
    return switch (wait.reason()) {
      case MAX_PARALLEL, RATE_LIMIT, GROUP_LIMIT, UPGRADES_RUNNING ->
          Optional.of(
              ExplanationLink.of(LinkWord.PLACE, WAITS, "the limits of the rollout leave no place: " + wait.message())
                  .since(wait.since())
                  .until(wait.until())
                  .remedy("`uplift rollout rules %s --max-parallel …` changes them".formatted(rollout.name())));
      case LOWER_PRIORITY ->
          Optional.of(
              ExplanationLink.of(LinkWord.LOWER_PRIORITY, WAITS, wait.message())
                  .since(wait.since())
                  .until(wait.until()));
      case APPROVAL,
          GATE_TIME,
          PAUSED,
          WINDOW,
          NO_WINDOW,
          BACK_OFF,
          DEVICE_BUSY,
          OFFLINE,
          PRESENCE_UNKNOWN,
          DEVICE_HELD,
          DEVICE_PINNED,
          STOPPED,
          SOAK,
          ROLLING_BACK,
          ABORTING ->
          Optional.empty();
    };
  }

  /// What became of the device in a rollout that has ended, or that is done with it.
  static List<ExplanationLink> ofFormer(ExplanationFacts facts, MemberRollout rollout) {
    return rollout
        .exclusion()
        .map(leftOut ->
            ExplanationLink.of(
                    LinkWord.EXCLUDED,
                    BLOCKS,
                    "the rollout %s of %s left the device out, %s: %s"
                        .formatted(rollout.name(), rollout.version(), leftOut.reason(), leftOut.detail()))
                .remedy(addRemedy(facts, rollout)))
        .or(() -> rollout.target().flatMap(target -> ofFormer(facts, rollout, target)))
        .stream()
        .toList();
  }

  private static Optional<ExplanationLink> ofFormer(
      ExplanationFacts facts, MemberRollout rollout, MemberTarget target) {
    Optional<ExplanationLink> link =
        switch (target.state()) {
          case SKIPPED ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.SKIPPED, BLOCKS, "it was skipped in the rollout %s".formatted(rollout.name()))
                      .remedy(addRemedy(facts, rollout)));
          case REVERTED ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.REVERTED,
                          BLOCKS,
                          "the rollout %s reverted its upgrade with its wave".formatted(rollout.name()))
                      .remedy("start another rollout, or upgrade the device alone"));
          case ENDED -> target.result().flatMap(result -> resultLink(facts, rollout, target, result));
          case PENDING ->
              Optional.of(
                  ExplanationLink.of(
                          LinkWord.ENDED,
                          BLOCKS,
                          "the rollout %s ended before it was the turn of the device".formatted(rollout.name()))
                      .remedy("start another rollout, or upgrade the device alone"));
          case STARTING, STARTED, PROCEEDING, REVERT_PENDING, REVERTING -> Optional.empty();
        };
    return link.map(found -> target.endedAt().map(found::since).orElse(found));
  }

  private static Optional<ExplanationLink> resultLink(
      ExplanationFacts facts, MemberRollout rollout, MemberTarget target, TargetResult result) {
    if (result.isSuccess()) {
      return facts.allRun(rollout.version())
          ? Optional.of(
              ExplanationLink.of(
                  LinkWord.UP_TO_DATE,
                  LinkEffect.DONE,
                  "the rollout %s brought it to %s".formatted(rollout.name(), rollout.version())))
          : drift(facts, rollout);
    }
    String why = target.error().map(text -> ": " + text).orElse("");
    String sentence = "in the rollout %s it ended as %s%s".formatted(rollout.name(), result, why);
    if (result == TargetResult.OFFLINE) {
      return Optional.of(ExplanationLink.of(LinkWord.OFFLINE, BLOCKS, sentence).remedy(retryRemedy(facts, rollout)));
    }
    return Optional.of(
        ExplanationLink.of(result.isFailure() ? LinkWord.FAILED : LinkWord.ENDED, BLOCKS, sentence)
            .remedy(retryRemedy(facts, rollout)));
  }

  private static Optional<ExplanationLink> drift(ExplanationFacts facts, MemberRollout rollout) {
    return facts.hosts().stream()
        .filter(host -> host.isVersionKnown() && !host.version().equals(rollout.version()))
        .findFirst()
        .map(host ->
            ExplanationLink.of(
                    LinkWord.DRIFTED,
                    BLOCKS,
                    "the rollout %s brought it to %s, and %s runs %s now"
                        .formatted(rollout.name(), rollout.version(), host.host(), host.version()))
                .remedy(
                    "`uplift host show %s` shows what it reports; a policy keeps a version by itself"
                        .formatted(host.host())));
  }

  private static String addRemedy(ExplanationFacts facts, MemberRollout rollout) {
    return rollout.state() == RolloutState.ENDED
        ? "start another rollout, or upgrade the device alone"
        : "`uplift rollout add %s %s` takes it in".formatted(rollout.name(), facts.device().name());
  }

  private static String retryRemedy(ExplanationFacts facts, MemberRollout rollout) {
    return rollout.state() == RolloutState.ENDED
        ? "once its cause is mended, start another rollout or `uplift upgrade start %s`"
            .formatted(facts.device().name())
        : "once its cause is mended, `uplift rollout retry-failed %s`".formatted(rollout.name());
  }
}
