package dev.uplift.temporaldev.demo;

import java.util.Locale;

/// The parts of the demo in their order.
enum DemoPart {
  DEVICES(Descriptions.DEVICES),
  AGENTS(Descriptions.AGENTS),
  ROLLOUT(Descriptions.ROLLOUT),
  POLICIES(Descriptions.POLICIES);

  private final String description;

  DemoPart(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }

  /// Returns its name on the command line.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// Descriptions of the parts.
  static final class Descriptions {
    static final String DEVICES = "four devices at once, on real agents; one is rolled back";
    static final String AGENTS = "the agents of five hosts; one version cannot connect and is rolled back";
    static final String ROLLOUT = "twelve stores in waves; one wave pauses by itself, one waits for its window";
    static final String POLICIES = "stores that follow a channel by a policy; one is pinned, one comes later";

    private Descriptions() {}
  }
}
