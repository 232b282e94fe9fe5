package dev.uplift.temporaldev.demo;

import java.util.List;

/// A store of the demo's rollout: one device with one simulated host.
///
/// @param number of its host
record DemoStore(int number, String name, String region, String zone, boolean isCanary) {
  static final String PACIFIC = "pacific";
  static final String PACIFIC_ZONE = "Pacific/Auckland";
  static final int COUNT = 12;

  /// The last two in Europe fail until they are repaired.
  static final int BROKEN_COUNT = 2;

  /// Returns all stores: Europe first, the broken ones last.
  static List<DemoStore> all() {
    return List.of(
        europe(1, "bonn", "Europe/Berlin", true),
        europe(2, "porto", "Europe/Lisbon", true),
        europe(3, "cork", "Europe/Dublin", false),
        europe(4, "ghent", "Europe/Brussels", false),
        europe(5, "graz", "Europe/Vienna", false),
        europe(6, "lyon", "Europe/Paris", false),
        pacific(7, "auckland"),
        pacific(8, "dunedin"),
        pacific(9, "napier"),
        pacific(10, "wellington"),
        europe(11, "malmo", "Europe/Stockholm", false),
        europe(12, "turin", "Europe/Rome", false));
  }

  private static DemoStore europe(int number, String name, String zone, boolean isCanary) {
    return new DemoStore(number, name, "europe", zone, isCanary);
  }

  private static DemoStore pacific(int number, String name) {
    return new DemoStore(number, name, PACIFIC, PACIFIC_ZONE, false);
  }

  boolean isBroken() {
    return number > COUNT - BROKEN_COUNT;
  }

  boolean hasWindow() {
    return region.equals(PACIFIC);
  }
}
