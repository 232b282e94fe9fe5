package dev.uplift.cli.login;

import java.time.Duration;
import java.time.Instant;

/// The code with which a person confirms a login in a browser anywhere.
///
/// @param code for the issuer
/// @param verifier proves that the program that asks for the tokens is the one that asked for the code
/// @param userCode for the person
/// @param page where the code is entered
/// @param pageWithCode the same with the code; empty if there is none
/// @param interval between two questions whether it was confirmed
record DeviceCode(
    String code,
    String verifier,
    String userCode,
    String page,
    String pageWithCode,
    Duration interval,
    Instant expiresAt) {
  /// Returns what a person has to do.
  String instructions() {
    String how = pageWithCode.isEmpty() ? page : pageWithCode;
    return "To log in, open %s%nand confirm the code %s".formatted(how, userCode);
  }

  /// Hides the codes.
  @Override
  public String toString() {
    return "code until " + expiresAt;
  }
}
