package dev.uplift.fleet.policy;

import dev.uplift.fleet.NameRule;

/// The target of a policy.
public sealed interface PolicyTarget {
  /// This version, and no other.
  record Exactly(String version) implements PolicyTarget {
    public Exactly {
      NameRule.VERSION.requireValid(version);
    }

    @Override
    public String toString() {
      return version;
    }
  }

  /// This version, or one with a higher sequence. What is older gets this version.
  record AtLeast(String version) implements PolicyTarget {
    public AtLeast {
      NameRule.VERSION.requireValid(version);
    }

    @Override
    public String toString() {
      return "at least " + version;
    }
  }

  /// The release that a channel points at, whichever that is at the time.
  record Channel(String name) implements PolicyTarget {
    @Override
    public String toString() {
      return "channel " + name;
    }
  }

  /// All updates that the repositories of each host offer. The newest published release of the package brings it.
  record Offered() implements PolicyTarget {
    @Override
    public String toString() {
      return "what is offered";
    }
  }
}
