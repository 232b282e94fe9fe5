package dev.uplift.fleet;

/// A channel of a package: a name that points at one of its releases.
public record ChannelId(String packageName, String name) {
  public ChannelId {
    NameRule.PACKAGE.requireValid(packageName);
    NameRule.CHANNEL.requireValid(name);
  }

  @Override
  public String toString() {
    return packageName + "/" + name;
  }
}
