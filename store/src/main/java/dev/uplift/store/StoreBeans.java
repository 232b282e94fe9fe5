package dev.uplift.store;

/// The environment of the context that [Database] opens. Beans of this module exist only there.
final class StoreBeans {
  static final String ENVIRONMENT = "uplift-store";

  private StoreBeans() {}
}
