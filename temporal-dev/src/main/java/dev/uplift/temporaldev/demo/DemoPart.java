package dev.uplift.temporaldev.demo;

import java.util.Locale;

/// What the demo can show, in the order in which it shows all of it.
enum DemoPart {
  DEVICES(Descriptions.DEVICES),
  AGENTS(Descriptions.AGENTS),
  ROLLOUT(Descriptions.ROLLOUT);

  private final String description;

  DemoPart(String description) {
    this.description = description;
  }

  String description() {
    return description;
  }

  /// As it is written on the command line.
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }

  /// What one sees of each.
  static final class Descriptions {
    static final String DEVICES = "four devices at once, on real agents; one has to go back";
    static final String AGENTS =
        "the agents of five hosts; one version cannot connect, and comes back by itself";
    static final String ROLLOUT =
        "twelve stores in waves; one stops by itself, one waits for its window";

    private Descriptions() {}
  }
}
