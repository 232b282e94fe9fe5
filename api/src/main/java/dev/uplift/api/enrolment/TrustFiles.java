package dev.uplift.api.enrolment;

import java.util.SortedMap;

/// The files of trusted keys that a host is given when it enrols, by name.
@FunctionalInterface
public interface TrustFiles {
  SortedMap<String, String> ofTenant(String tenant);
}
