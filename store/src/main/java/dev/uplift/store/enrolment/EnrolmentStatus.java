package dev.uplift.store.enrolment;

/// How far the enrolment of a host is.
public enum EnrolmentStatus {
  /// It has no key, and no token that is still good.
  NONE,
  /// It has a token that is still good, and no key.
  INVITED,
  /// It has a key.
  ENROLLED,
  /// It had one.
  REVOKED
}
