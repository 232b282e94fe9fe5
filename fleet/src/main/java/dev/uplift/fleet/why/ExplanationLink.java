package dev.uplift.fleet.why;

import dev.uplift.fleet.window.WindowOpening;
import java.time.Instant;
import java.util.Optional;

/// One link of the chain from what is wanted to what happens.
///
/// @param message a sentence for people
/// @param since when it began, if known
/// @param until when it ends by itself, if known
/// @param remedy what a person could do about it, as a sentence; empty if nothing has to be done
/// @param opening the window that the link is about
public record ExplanationLink(
    LinkWord word,
    LinkEffect effect,
    String message,
    Optional<Instant> since,
    Optional<Instant> until,
    Optional<String> remedy,
    Optional<WindowOpening> opening) {
  static ExplanationLink of(LinkWord word, LinkEffect effect, String message) {
    return new ExplanationLink(
        word, effect, message, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
  }

  ExplanationLink since(Instant time) {
    return since(Optional.of(time));
  }

  ExplanationLink since(Optional<Instant> time) {
    return new ExplanationLink(word, effect, message, time, until, remedy, opening);
  }

  ExplanationLink until(Optional<Instant> time) {
    return new ExplanationLink(word, effect, message, since, time, remedy, opening);
  }

  ExplanationLink remedy(String sentence) {
    return new ExplanationLink(word, effect, message, since, until, Optional.of(sentence), opening);
  }

  ExplanationLink opening(WindowOpening window) {
    return new ExplanationLink(word, effect, message, since, until, remedy, Optional.of(window));
  }
}
