package dev.uplift.protocol;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.util.SortedMap;
import java.util.TreeMap;

/// The updates that the repositories of a host offer for one of its packages, beyond those installed.
///
/// @param updates how many; 0: nothing
/// @param security how many of them are for security, as far as the host can tell
/// @param digest of what exactly is offered: another one means other updates; empty if there are none
public record PackageOffer(int updates, int security, String digest) {
  public static final PackageOffer NOTHING = new PackageOffer(0, 0, "");
  public static final int MAX_UPDATES = 100_000;

  public PackageOffer {
    FieldLimits.requireBetween("updates", updates, 0, MAX_UPDATES);
    FieldLimits.requireBetween("security", security, 0, updates);
    FieldLimits.requireIdOrEmpty("digest", digest);
    FieldLimits.require(digest.isEmpty() == (updates == 0), "digest", "one if there are updates");
  }

  /// Reads offers by package.
  ///
  /// @param in an object of which each field is a package
  public static SortedMap<String, PackageOffer> readAll(JsonObject in) {
    var offers = new TreeMap<String, PackageOffer>();
    for (String packageName : in.names()) {
      FieldLimits.requirePackageName("offers", packageName);
      JsonObject offer = in.object(packageName);
      offers.put(
          packageName,
          new PackageOffer(
              (int) Math.min(offer.number("updates"), Integer.MAX_VALUE),
              (int) Math.min(offer.numberOr("security", 0), Integer.MAX_VALUE),
              offer.stringOr("digest", "")));
    }
    return offers;
  }

  /// Writes offers by package, each a field of an object.
  public static void writeAll(JsonWriter out, SortedMap<String, PackageOffer> offers) {
    offers.forEach((packageName, offer) -> out.put(packageName, offer::write));
  }

  private void write(JsonWriter out) {
    out.put("updates", updates);
    if (security > 0) {
      out.put("security", security);
    }
    out.putUnlessEmpty("digest", digest);
  }
}
