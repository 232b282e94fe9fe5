package dev.uplift.api.enrolment;

import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.store.trust.TrustRootRepository;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// The files of trusted keys that a host receives when it enrols.
@Singleton
final class TrustFiles {
  private final TrustRootRepository trustRoots;

  TrustFiles(TrustRootRepository trustRoots) {
    this.trustRoots = trustRoots;
  }

  /// Returns their contents by name; none while the tenant has no trust root.
  SortedMap<String, String> ofTenant(String tenant) {
    return trustRoots
        .findNewest(tenant)
        .map(root ->
            new TreeMap<>(
                Map.of(
                    EnrolmentResponse.ROOT_FILE,
                    root.document(),
                    EnrolmentResponse.ROOT_SIGNATURE_FILE,
                    root.signature())))
        .orElseGet(TreeMap::new);
  }
}
