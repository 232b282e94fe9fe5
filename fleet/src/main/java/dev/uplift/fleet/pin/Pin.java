package dev.uplift.fleet.pin;

import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.Optional;

/// A package of a device that stays as it is, or at a version.
///
/// @param version the only one that may be installed; empty: a hold, so none may
/// @param by who set it
/// @param origin where it was set
/// @param host the one whose owner set it; empty for one that was set elsewhere
/// @param until when it ends by itself; empty: until it is removed
public record Pin(
    String packageName,
    Optional<String> version,
    String reason,
    String by,
    PinOrigin origin,
    Optional<HostId> host,
    Instant since,
    Optional<Instant> until) {
  /// The word of an owner first, because it may be that no operator can override it.
  private static final Comparator<Pin> OWNERS_FIRST =
      Comparator.comparing(Pin::origin).thenComparing(pin -> pin.host().map(HostId::value).orElse(""));

  /// One that an operator set, or the owner of a host.
  public Pin(
      String packageName,
      Optional<String> version,
      String reason,
      String by,
      Optional<HostId> host,
      Instant since,
      Optional<Instant> until) {
    this(packageName, version, reason, by, host.isPresent() ? PinOrigin.HOST : PinOrigin.OPERATOR, host, since, until);
  }

  public boolean isHold() {
    return version.isEmpty();
  }

  public boolean isActiveAt(Instant time) {
    return until.map(time::isBefore).orElse(true);
  }

  /// Returns whether this pin is against installing a version of its package.
  public boolean blocks(String wanted) {
    return version.filter(wanted::equals).isEmpty();
  }

  /// Returns the pin that is against installing a version of a package at a time; that of an owner first.
  public static Optional<Pin> findBlocking(Collection<Pin> pins, String packageName, String wanted, Instant time) {
    return pins.stream()
        .filter(pin -> pin.packageName().equals(packageName) && pin.isActiveAt(time) && pin.blocks(wanted))
        .min(OWNERS_FIRST);
  }

  /// For people.
  public String describe() {
    String end = until.map(time -> " until " + time).orElse("");
    if (origin == PinOrigin.BARRIER) {
      return "%s is halted for %s%s: %s".formatted(packageName, by, end, reason);
    }
    String what =
        version.map(pinned -> "%s is pinned to %s".formatted(packageName, pinned)).orElse(packageName + " is held");
    return host.map(of -> "%s on %s by its owner (%s)%s: %s".formatted(what, of, by, end, reason))
        .orElseGet(() -> "%s by %s%s: %s".formatted(what, by, end, reason));
  }
}
