package dev.uplift.store;

/// What came of recording a release.
public sealed interface Published {
  record Recorded(ReleaseRow release) implements Published {}

  /// It was there before, to the last byte of text and signature.
  record Same(ReleaseRow release) implements Published {}

  /// The same text with other signatures: these stand there now.
  record SignedAnew(ReleaseRow release) implements Published {}

  /// Another text stands under this package and version, and stays.
  record Different(ReleaseRow found) implements Published {}

  /// Another version of the package has this sequence, so neither would be newer.
  record SequenceTaken(ReleaseRow by) implements Published {}
}
