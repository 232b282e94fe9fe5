package dev.uplift.fleet;

import dev.uplift.fleet.Findings.Host;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/// Whether an upgrade is begun. Decided before anything is sent.
public sealed interface Check {
  record GoOn() implements Check {}

  /// Every host runs the release, and none of them on trial.
  record AlreadyThere() implements Check {}

  record Refused(Reason reason) implements Check {}

  /// What a host never said speaks against nothing: it can still decline.
  static Check of(Wish wish, Findings found) {
    if (found.hosts().stream().allMatch(host -> runs(wish.release(), host))) {
      return new AlreadyThere();
    }
    return refusal(wish, found).<Check>map(Refused::new).orElseGet(GoOn::new);
  }

  private static boolean runs(Release release, Host host) {
    return host.version().equals(release.version()) && !host.onTrial();
  }

  private static Optional<Reason> refusal(Wish wish, Findings found) {
    if (found.held().isPresent()) {
      return refuse("held", found.held().get());
    }
    if (found.failedBefore().isPresent() && !wish.byPerson()) {
      return refuse("failed-before", wish.release() + ": " + found.failedBefore().get());
    }
    return cannot(found)
        .or(() -> wish.allowDowngrade() ? Optional.empty() : downgrade(wish, found))
        .or(() -> wrongVersion(wish, found));
  }

  private static Optional<Reason> cannot(Findings found) {
    return first(found, host -> host.kinds().map(all -> !all.contains(found.kind())).orElse(false))
        .flatMap(host ->
            refuse("no-driver", "the agent of " + host.host() + " has none for " + found.kind()));
  }

  private static Optional<Reason> downgrade(Wish wish, Findings found) {
    return first(found, host -> host.sequence().map(runs -> runs > found.sequence()).orElse(false))
        .flatMap(host ->
            refuse(
                "downgrade",
                "%s runs %s, which is newer than %s"
                    .formatted(host.host(), host.version(), wish.release().version())));
  }

  private static Optional<Reason> wrongVersion(Wish wish, Findings found) {
    Set<String> over = found.installsOver();
    return first(
            found,
            host ->
                !over.isEmpty()
                    && !over.contains(host.version())
                    && !host.version().equals(HostState.UNKNOWN)
                    && !runs(wish.release(), host))
        .flatMap(host ->
            refuse(
                "wrong-version",
                "%s runs %s, over which %s must not be installed"
                    .formatted(host.host(), host.version(), wish.release())));
  }

  private static Optional<Host> first(Findings found, Predicate<Host> which) {
    return found.hosts().stream().filter(which).findFirst();
  }

  private static Optional<Reason> refuse(String code, String text) {
    return Optional.of(Reason.error(ErrorClass.DECLINED, code, text));
  }
}
