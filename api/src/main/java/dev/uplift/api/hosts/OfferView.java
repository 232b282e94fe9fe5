package dev.uplift.api.hosts;

import dev.uplift.protocol.PackageOffer;
import io.micronaut.serde.annotation.Serdeable;

/// The updates that the repositories of a host offer for a package.
///
/// @param updates how many; 0: nothing
/// @param security how many of them are for security, as far as the host can tell
@Serdeable
record OfferView(int updates, int security) {
  static OfferView of(PackageOffer offer) {
    return new OfferView(offer.updates(), offer.security());
  }
}
