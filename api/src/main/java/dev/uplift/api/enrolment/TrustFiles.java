package dev.uplift.api.enrolment;

import java.util.SortedMap;

/// Whose signatures a host is to trust when it joins: files, by name.
@FunctionalInterface
public interface TrustFiles {
  SortedMap<String, String> ofTenant(String tenant);
}
