package dev.uplift.fleet;

import dev.uplift.fleet.Findings.Host;
import java.util.Optional;

/// Whether an upgrade is begun. Decided before anything is sent.
public sealed interface Check {
  record GoOn() implements Check {}

  /// Every host runs the release, and none of them on trial.
  record AlreadyThere() implements Check {}

  record Refused(Reason reason) implements Check {}

  /// What a host never said speaks against nothing: it can still decline.
  static Check of(Wish wish, Findings found) {
    if (found.hosts().stream().allMatch(host -> host.isThere(wish.release()))) {
      return new AlreadyThere();
    }
    return refusal(wish, found).<Check>map(Refused::new).orElseGet(GoOn::new);
  }

  private static Optional<Reason> refusal(Wish wish, Findings found) {
    if (found.held().isPresent()) {
      return refuse("held", found.held().get());
    }
    if (found.failedBefore().isPresent() && !wish.byPerson()) {
      return refuse("failed-before", wish.release() + ": " + found.failedBefore().get());
    }
    return found.hosts().stream().flatMap(host -> refusal(wish, found, host).stream()).findFirst();
  }

  private static Optional<Reason> refusal(Wish wish, Findings found, Host host) {
    if (!host.mayHaveDriverFor(found.kind())) {
      return refuse("no-driver", "%s has no driver for %s".formatted(host.host(), found.kind()));
    }
    if (host.isNewerThan(found.sequence()) && !wish.allowDowngrade()) {
      return refuse("downgrade", "%s is newer than %s".formatted(host, wish.release()));
    }
    if (!found.mayInstallOver(host) && !host.isThere(wish.release())) {
      return refuse("wrong-version", "%s must not lie over %s".formatted(wish.release(), host));
    }
    return Optional.empty();
  }

  private static Optional<Reason> refuse(String code, String text) {
    return Optional.of(Reason.error(ErrorClass.DECLINED, code, text));
  }
}
