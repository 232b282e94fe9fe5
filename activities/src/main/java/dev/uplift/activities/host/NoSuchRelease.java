package dev.uplift.activities.host;

import dev.uplift.fleet.Release;

/// A release that is to be brought or taken back is not in the records.
final class NoSuchRelease extends RuntimeException {
  private static final long serialVersionUID = 1;

  NoSuchRelease(Release release) {
    super(release + " is not in the records");
  }
}
