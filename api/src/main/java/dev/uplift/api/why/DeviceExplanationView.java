package dev.uplift.api.why;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.openings.OpeningView;
import dev.uplift.fleet.why.Explanation;
import dev.uplift.fleet.why.ExplanationLink;
import dev.uplift.fleet.why.LinkEffect;
import dev.uplift.fleet.why.LinkWord;
import io.micronaut.serde.annotation.Serdeable;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Why the packages of a device are as they are.
@Serdeable
record DeviceExplanationView(String device, List<ExplanationView> packages) {

  /// Why a package is not, not yet or no longer being upgraded.
  ///
  /// @param wanted the version that is wanted; absent if none is
  /// @param answer the link that answers the question
  /// @param links from what is wanted to what happens, in the order in which they count
  @Serdeable
  record ExplanationView(
      @JsonProperty("package") String packageName, Optional<String> wanted, LinkView answer, List<LinkView> links) {
    static ExplanationView of(Explanation explanation) {
      return new ExplanationView(
          explanation.packageName(),
          explanation.wanted(),
          LinkView.of(explanation.answer()),
          explanation.links().stream().map(LinkView::of).toList());
    }
  }

  /// One link of the chain.
  ///
  /// @param word for programs
  /// @param effect `informs`: it is in no way; `waits`: it is in the way and ends by itself; `blocks`: until a person
  ///   does something; `works`: an upgrade is in work; `done`: what is wanted is so
  /// @param message for people
  /// @param since when it began; absent if that is not known
  /// @param until when it ends by itself; absent if it does not, or that is not known
  /// @param remedy what a person could do about it; absent if nothing has to be done
  /// @param opening the maintenance window that it is about
  @Serdeable
  record LinkView(
      @Schema(implementation = LinkWord.class) String word,
      @Schema(implementation = LinkEffect.class) String effect,
      String message,
      Optional<Instant> since,
      Optional<Instant> until,
      Optional<String> remedy,
      Optional<OpeningView> opening) {
    static LinkView of(ExplanationLink link) {
      return new LinkView(
          link.word().toString(),
          link.effect().toString(),
          link.message(),
          link.since(),
          link.until(),
          link.remedy(),
          link.opening().map(OpeningView::of));
    }
  }
}
