package dev.uplift.agent.driver;

import dev.uplift.protocol.PackageOffer;
import java.util.Optional;
import java.util.regex.Pattern;

/// The measured state of a package.
///
/// @param version that the host runs; [#UNKNOWN] if it cannot be measured
/// @param staged version that is prepared but not in use; empty if there is none
/// @param onTrial whether the host rolls back by itself unless a `commit` comes
/// @param offer what the host's own repositories offer beyond it; empty if the driver does not say
public record PackageState(String version, String staged, boolean onTrial, Optional<PackageOffer> offer) {
  public static final String UNKNOWN = "unknown";

  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.+~_][A-Za-z0-9.+~_-]{0,63}");

  /// A text that cannot be a version becomes [#UNKNOWN].
  public PackageState {
    version = VERSION.matcher(version).matches() ? version : UNKNOWN;
    staged = VERSION.matcher(staged).matches() ? staged : "";
  }

  /// Of a driver that does not say what is offered.
  public PackageState(String version, String staged, boolean onTrial) {
    this(version, staged, onTrial, Optional.empty());
  }

  public static PackageState unknown() {
    return new PackageState(UNKNOWN, "", false);
  }
}
