package dev.uplift.fleet;

/// The name of a package.
public record PackageName(String value) {
  public PackageName {
    NameRule.PACKAGE.requireValid(value);
  }

  @Override
  public String toString() {
    return value;
  }
}
