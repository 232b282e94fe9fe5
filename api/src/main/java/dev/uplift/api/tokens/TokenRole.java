package dev.uplift.api.tokens;

/// The role of a token.
enum TokenRole {
  VIEWER,
  OPERATOR,
  ADMIN
}
