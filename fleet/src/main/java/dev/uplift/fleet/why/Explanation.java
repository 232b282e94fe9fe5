package dev.uplift.fleet.why;

import static dev.uplift.fleet.why.LinkEffect.BLOCKS;
import static dev.uplift.fleet.why.LinkEffect.DONE;
import static dev.uplift.fleet.why.LinkEffect.INFORMS;
import static dev.uplift.fleet.why.LinkEffect.WAITS;
import static dev.uplift.fleet.why.LinkEffect.WORKS;

import dev.uplift.fleet.HostId;
import dev.uplift.fleet.pin.PinOrigin;
import dev.uplift.fleet.why.ExplanationFacts.ActiveHold;
import dev.uplift.fleet.why.ExplanationFacts.ActivePin;
import dev.uplift.fleet.why.ExplanationFacts.ApplicablePolicy;
import dev.uplift.fleet.why.ExplanationFacts.EndedUpgrade;
import dev.uplift.fleet.why.ExplanationFacts.MemberRollout;
import dev.uplift.fleet.why.ExplanationFacts.RunningUpgrade;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Why a package of a device is not, not yet or no longer being upgraded: a chain of links, from what is wanted over
/// all that is or could be in its way to the step in work and its last error.
///
/// @param wanted the version that is wanted, if one is known to be
/// @param links in the order in which they count; at least one
public record Explanation(String packageName, Optional<String> wanted, List<ExplanationLink> links) {
  public Explanation {
    links = List.copyOf(links);
  }

  /// Returns the link that is the answer: what is done; else the first one that a person has to do something about;
  /// else the first one that is waited for; else what is in work; else the first one.
  public ExplanationLink answer() {
    return first(DONE).or(() -> first(BLOCKS)).or(() -> first(WAITS)).or(() -> first(WORKS)).orElseGet(links::getFirst);
  }

  private Optional<ExplanationLink> first(LinkEffect effect) {
    return links.stream().filter(link -> link.effect() == effect).findFirst();
  }

  public static Explanation of(ExplanationFacts facts, Instant now) {
    return new Composer(facts, now).compose();
  }

  private static final class Composer {
    private final ExplanationFacts facts;
    private final Instant now;
    private final Optional<String> wanted;
    private final List<ExplanationLink> links = new ArrayList<>();

    Composer(ExplanationFacts facts, Instant now) {
      this.facts = facts;
      this.now = now;
      this.wanted = facts.wantedVersion();
    }

    Explanation compose() {
      addWish();
      addProhibitions();
      if (facts.ownUpgrade().isPresent()) {
        links.addAll(RunningLinks.of(facts.ownUpgrade().get()));
      } else if (wanted.filter(facts::isReached).isPresent()) {
        links.add(ExplanationLink.of(LinkWord.UP_TO_DATE, DONE, "every host runs " + release(wanted.get())));
      } else if (isWanted()) {
        addObstacles();
      } else {
        facts.rollouts().stream().findFirst().ifPresent(this::addFormerRollout);
        addLastError();
      }
      return new Explanation(facts.packageName(), wanted, links);
    }

    private boolean isWanted() {
      return facts.nextRollout().isPresent() || facts.decidingPolicy().isPresent();
    }

    private void addWish() {
      facts.policies().forEach(policy -> links.add(policyLink(policy)));
      facts.ownUpgrade().ifPresent(upgrade -> links.add(wishOf(upgrade)));
      if (facts.ownUpgrade().isEmpty()) {
        facts.nextRollout().ifPresent(rollout -> links.add(wishOf(rollout)));
        if (!isWanted()) {
          links.add(nothing());
        }
      }
    }

    private ExplanationLink policyLink(ApplicablePolicy policy) {
      String target =
          policy
              .version()
              .map(version -> " wants " + (policy.offered() ? "what is offered, by " : "") + release(version))
              .orElseGet(() -> isWithoutRelease(policy) ? " brings nothing yet" : " wants no other version");
      if (!policy.enabled()) {
        return ExplanationLink.of(LinkWord.POLICY, INFORMS, "the policy %s is disabled".formatted(policy.name()))
            .remedy("`uplift policy enable %s` has it count".formatted(policy.name()));
      }
      return policy.decides()
          ? ExplanationLink.of(LinkWord.POLICY, INFORMS, "the policy %s%s".formatted(policy.name(), target))
          : ExplanationLink.of(
                  LinkWord.CONFLICT,
                  INFORMS,
                  "the policy %s%s, and another one counts here".formatted(policy.name(), target))
              .remedy("the policy with the higher priority counts, then the one that was enabled last");
    }

    private static boolean isWithoutRelease(ApplicablePolicy policy) {
      return policy.reason().equals("no-release");
    }

    private ExplanationLink wishOf(RunningUpgrade upgrade) {
      String what =
          (upgrade.revert() ? "started %s, which reverts %s" : "started the upgrade %s to %s")
              .formatted(upgrade.id(), release(upgrade.version()));
      return upgrade
          .rollout()
          .map(rollout -> ExplanationLink.of(LinkWord.ROLLOUT, INFORMS, "the rollout %s %s".formatted(rollout, what)))
          .orElseGet(() -> ExplanationLink.of(LinkWord.UPGRADE, INFORMS, "%s %s".formatted(upgrade.startedBy(), what)))
          .since(upgrade.startedAt());
    }

    private ExplanationLink wishOf(MemberRollout rollout) {
      return ExplanationLink.of(
          LinkWord.ROLLOUT,
          INFORMS,
          "the rollout %s has the device in wave %d, for %s"
              .formatted(rollout.name(), rollout.wave(), release(rollout.version())));
    }

    private ExplanationLink nothing() {
      return ExplanationLink.of(
              LinkWord.NOTHING,
              INFORMS,
              "no policy, no rollout and no person wants another version of %s".formatted(facts.packageName()))
          .remedy(
              "`uplift upgrade start %s --package %s --version …` upgrades the device, a rollout upgrades many"
                  .formatted(facts.device().name(), facts.packageName()));
    }

    /// What has begun goes to its end, so these are in the way of nothing that runs.
    private void addProhibitions() {
      boolean counts = facts.ownUpgrade().isEmpty() && isWanted();
      facts
          .stop()
          .ifPresent(stop ->
              links.add(
                  ExplanationLink.of(
                          LinkWord.STOPPED,
                          counts ? BLOCKS : INFORMS,
                          "%s stopped the tenant: %s; nothing new begins".formatted(stop.by(), stop.reason()))
                      .since(stop.since())
                      .remedy("`uplift stop --end` ends it")));
      facts.pins().forEach(pin -> links.add(pinLink(pin, counts)));
      facts.hold().ifPresent(hold -> links.add(holdLink(hold, counts)));
    }

    private ExplanationLink pinLink(ActivePin pin, boolean counts) {
      boolean isInTheWay = counts && (pin.version().isEmpty() || !pin.version().equals(wanted));
      String what = pin.version().map(version -> "at " + version).orElse("at what it runs");
      ExplanationLink link =
          ExplanationLink.of(
                  LinkWord.PINNED,
                  inTheWay(isInTheWay, pin.until()),
                  pin.origin() == PinOrigin.BARRIER
                      ? halted(pin)
                      : "%s pinned %s %s: %s".formatted(pin.by(), facts.packageName(), what, pin.reason()))
              .since(pin.since())
              .until(pin.until());
      return link.remedy(pinRemedy(pin));
    }

    private String halted(ActivePin pin) {
      String end = pin.until().map(time -> " until " + time).orElse("");
      return "%s is halted for %s%s: %s".formatted(facts.packageName(), pin.by(), end, pin.reason());
    }

    private String pinRemedy(ActivePin pin) {
      return switch (pin.origin()) {
        case BARRIER -> "`uplift %s` ends it".formatted(pin.by().replaceFirst(" ", " abort "));
        case HOST ->
            "its owner set it on the host %s, and ends it there"
                .formatted(pin.host().map(HostId::value).orElse("unknown"));
        case OPERATOR -> "`uplift pin remove %s %s` ends it".formatted(facts.device().name(), facts.packageName());
      };
    }

    private ExplanationLink holdLink(ActiveHold hold, boolean counts) {
      return ExplanationLink.of(
              LinkWord.HELD,
              inTheWay(counts, hold.until()),
              "%s holds the device: %s".formatted(hold.by(), hold.reason()))
          .since(hold.since())
          .until(hold.until())
          .remedy("`uplift device release %s` ends it".formatted(facts.device().name()));
    }

    private static LinkEffect inTheWay(boolean isInTheWay, Optional<Instant> until) {
      if (!isInTheWay) {
        return INFORMS;
      }
      return until.isPresent() ? WAITS : BLOCKS;
    }

    /// What is in the way of an upgrade that is wanted and does not run.
    private void addObstacles() {
      if (facts.hosts().isEmpty()) {
        links.add(
            ExplanationLink.of(LinkWord.NO_HOSTS, BLOCKS, "the device has no hosts")
                .remedy("`uplift device update %s --host HOST` adds one".formatted(facts.device().name())));
      }
      facts.nextRollout().ifPresent(rollout -> links.addAll(RolloutLinks.of(facts, rollout, now)));
      if (facts.nextRollout().isEmpty()) {
        facts.decidingPolicy().ifPresent(policy -> links.add(stateLink(policy)));
      }
      facts
          .running()
          .ifPresent(other ->
              links.add(
                  ExplanationLink.of(
                          LinkWord.DEVICE_BUSY,
                          WAITS,
                          "the upgrade %s to %s %s runs on the device"
                              .formatted(other.id(), other.packageName(), other.version()))
                      .since(other.startedAt())));
      links.addAll(ConditionLinks.of(facts, now));
      if (links.stream().allMatch(link -> link.effect() == INFORMS)) {
        links.add(
            ExplanationLink.of(LinkWord.TURN, WAITS, "nothing is in the way; it starts as soon as it is its turn"));
      }
      addLastError();
    }

    private static ExplanationLink stateLink(ApplicablePolicy policy) {
      LinkEffect effect =
          switch (policy.state()) {
            case "satisfied" -> DONE;
            case "in-progress" -> WORKS;
            case "blocked", "failed", "unknown", "conflict" -> inTheWay(true, policy.until());
            default -> WAITS;
          };
      ExplanationLink link =
          ExplanationLink.of(LinkWord.POLICY, effect, "%s: %s".formatted(policy.state(), policy.message()))
              .until(policy.until());
      return remedy(policy).map(link::remedy).orElse(link);
    }

    /// Other links say what can be done about other reasons.
    private static Optional<String> remedy(ApplicablePolicy policy) {
      return switch (policy.reason()) {
        case "rollout-aborted" -> Optional.of("`uplift policy enable %s` has it go on".formatted(policy.name()));
        case "unknown-version" ->
            Optional.of(
                "`uplift policy update %s --unknown-version upgrade` has such devices upgraded"
                    .formatted(policy.name()));
        case "offers-unknown" ->
            Optional.of("an agent and a driver that say what is offered have it known; see the page on drivers");
        case "no-release" ->
            Optional.of("the policy begins by itself when the release is published, or the channel points at one");
        default -> Optional.empty();
      };
    }

    /// What became of the device in a rollout that does nothing about it any more.
    private void addFormerRollout(MemberRollout rollout) {
      links.addAll(RolloutLinks.ofFormer(facts, rollout));
    }

    private void addLastError() {
      facts
          .last()
          .filter(upgrade -> !upgrade.outcome().isSuccess(upgrade.revert()))
          .filter(upgrade -> links.stream().noneMatch(Composer::tellsAnEnd))
          .ifPresent(upgrade -> links.add(lastError(upgrade)));
    }

    private static boolean tellsAnEnd(ExplanationLink link) {
      return link.word() == LinkWord.FAILED || link.word() == LinkWord.ENDED || link.word() == LinkWord.FAILED_BEFORE;
    }

    private ExplanationLink lastError(EndedUpgrade upgrade) {
      boolean isFailure = upgrade.reason().filter(why -> upgrade.outcome().blamesRelease(why.kind())).isPresent();
      String why = upgrade.reason().map(reason -> ", " + reason.code() + ": " + reason.message()).orElse("");
      ExplanationLink link =
          ExplanationLink.of(
                  isFailure ? LinkWord.FAILED : LinkWord.ENDED,
                  isWanted() || !isFailure || !upgrade.counts() ? INFORMS : BLOCKS,
                  "the upgrade %s to %s ended as %s%s"
                      .formatted(upgrade.id(), release(upgrade.version()), upgrade.outcome(), why))
              .since(upgrade.endedAt());
      return isFailure && upgrade.counts()
          ? link.remedy(
              ("see `uplift upgrade show %s`; `uplift device clear-failures %s --package %s --version %s --reason …` has"
                      + " rollouts take the device again")
                  .formatted(upgrade.id(), facts.device().name(), facts.packageName(), upgrade.version()))
          : link;
    }

    private String release(String version) {
      return facts.packageName() + " " + version;
    }
  }
}
