package dev.uplift.store;

/// Another transaction did meanwhile what this one had seen undone. The next try sees it.
final class Overtaken extends RuntimeException {
  private static final long serialVersionUID = 1;

  Overtaken(String what) {
    super(what, null, false, false);
  }
}
