package dev.uplift.store;

/// A row was to be written for a tenant that does not exist.
public final class NoSuchTenant extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoSuchTenant(Throwable cause) {
    super("there is no such tenant", cause);
  }
}
