package dev.uplift.fleet.rollout.decision;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// How much of the soak of a wave was watched. Only time counts in which a server ran and heard every upgraded device
/// of the wave on the release.
///
/// @param watched so long, since the last device of the wave ended
/// @param until when that was last extended; empty before the first time
/// @param unheard names of devices that were not heard when last checked, for people; empty if there are none
public record SoakWatch(Duration watched, Optional<Instant> until, String unheard) {
  public static final SoakWatch NONE = new SoakWatch(Duration.ZERO, Optional.empty(), "");
}
