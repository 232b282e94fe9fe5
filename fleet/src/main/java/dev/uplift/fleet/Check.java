package dev.uplift.fleet;

import dev.uplift.fleet.Findings.Host;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/// Whether an upgrade is begun, or one that is done is taken back. Decided before anything is sent.
public sealed interface Check {
  /// Code of a refusal: an order to a host that is two would be carried out by both, or by either.
  String DUPLICATE = "duplicate-host";

  record GoOn() implements Check {}

  /// Every host runs the release, and none of them on trial; or has gone back to the version from
  /// before.
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
    if (host.duplicate().isPresent()) {
      return refuse(DUPLICATE, host.duplicate().get());
    }
    if (!host.mayHaveDriverFor(found.kind())) {
      return refuse("no-driver", "%s has no driver for %s".formatted(host.host(), found.kind()));
    }
    if (host.isNewerThan(found.sequence()) && !wish.allowDowngrade()) {
      return refuse("downgrade", "%s is newer than %s".formatted(host, wish.release()));
    }
    if (!found.mayInstallOver(host) && !host.isThere(wish.release())) {
      return refuse(
          "wrong-version",
          "%s must not lie over %s, only over %s"
              .formatted(
                  wish.release(), host, String.join(", ", new TreeSet<>(found.installsOver()))));
    }
    return Optional.empty();
  }

  /// Whether an upgrade that is done is taken back: only where its hosts still run what it brought.
  /// What a host never said speaks against nothing; whether it still has the version from before,
  /// it says itself.
  ///
  /// @param brought by the upgrade
  /// @param before what each host ran before
  static Check ofRevert(Release brought, Map<HostId, String> before, Findings found) {
    if (found.hosts().stream().allMatch(host -> host.version().equals(before.get(host.host())))) {
      return new AlreadyThere();
    }
    return found
        .held()
        .flatMap(why -> refuse("held", why))
        .or(() ->
            found.hosts().stream()
                .flatMap(host -> mayNotGoBack(brought, before, found, host).stream())
                .findFirst())
        .<Check>map(Refused::new)
        .orElseGet(GoOn::new);
  }

  private static Optional<Reason> mayNotGoBack(
      Release brought, Map<HostId, String> before, Findings found, Host host) {
    if (host.duplicate().isPresent()) {
      return refuse(DUPLICATE, host.duplicate().get());
    }
    String back = before.getOrDefault(host.host(), HostState.UNKNOWN);
    if (back.equals(HostState.UNKNOWN)) {
      return refuse(
          "before-unknown",
          "what %s ran before %s is not recorded".formatted(host.host(), brought));
    }
    if (!host.mayHaveDriverFor(found.kind())) {
      return refuse("no-driver", "%s has no driver for %s".formatted(host.host(), found.kind()));
    }
    boolean isWhereItWas = host.version().equals(brought.version()) || host.version().equals(back);
    return isWhereItWas || host.version().equals(HostState.UNKNOWN)
        ? Optional.empty()
        : refuse(
            "moved-on",
            "%s runs %s by now, not %s, which is to be taken back"
                .formatted(host.host(), host.version(), brought.version()));
  }

  private static Optional<Reason> refuse(String code, String text) {
    return Optional.of(Reason.error(ErrorClass.DECLINED, code, text));
  }
}
