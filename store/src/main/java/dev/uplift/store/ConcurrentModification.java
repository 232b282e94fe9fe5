package dev.uplift.store;

/// Another transaction did meanwhile what this one had seen undone. The next try sees it.
public final class ConcurrentModification extends RuntimeException {
  private static final long serialVersionUID = 1;

  public ConcurrentModification(String what) {
    super(what, null, false, false);
  }
}
