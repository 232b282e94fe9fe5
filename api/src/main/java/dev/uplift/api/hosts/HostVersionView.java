package dev.uplift.api.hosts;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.store.version.HostVersionRow;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.Optional;

/// A version that a host ran for some time.
///
/// @param version absent: the host did not report the package
/// @param previousVersion the version before; absent: the host had not reported the package
/// @param since when the host first reported it
/// @param until when it first reported something else; absent while it runs
/// @param upgrade that had changed the host; absent: the change came from outside of Uplift
@Serdeable
record HostVersionView(
    @JsonProperty("package") String packageName,
    Optional<String> version,
    Optional<String> previousVersion,
    Instant since,
    Optional<Instant> until,
    Optional<String> upgrade) {
  static HostVersionView of(HostVersionRow row) {
    return new HostVersionView(
        row.packageName(), row.version(), row.previous(), row.since(), row.until(), row.upgrade());
  }
}
