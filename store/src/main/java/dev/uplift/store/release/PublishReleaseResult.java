package dev.uplift.store.release;

/// The result of recording a release.
public sealed interface PublishReleaseResult {
  record Recorded(ReleaseRow release) implements PublishReleaseResult {}

  /// It was there before, to the last byte of text and signature.
  record Unchanged(ReleaseRow release) implements PublishReleaseResult {}

  /// The same text with other signatures: these stand there now.
  record SignaturesReplaced(ReleaseRow release) implements PublishReleaseResult {}

  /// Another text stands under this package and version, and stays.
  record ContentDiffers(ReleaseRow found) implements PublishReleaseResult {}

  /// Another version of the package has this sequence, so neither would be newer.
  record SequenceTaken(ReleaseRow holder) implements PublishReleaseResult {}
}
