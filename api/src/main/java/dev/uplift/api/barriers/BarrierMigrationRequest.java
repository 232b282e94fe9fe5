package dev.uplift.api.barriers;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.api.json.BodyErrors;
import dev.uplift.api.json.NameOf;
import dev.uplift.api.json.RequestBody;
import dev.uplift.fleet.NameRule;
import dev.uplift.services.barrier.BarrierMigration;
import dev.uplift.services.barrier.BarrierMigration.Approval;
import dev.uplift.services.barrier.BarrierMigration.DeviceMigration;
import io.micronaut.core.annotation.Introspected;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The change to make while all hosts are halted: `{"approval": true}`, or the upgrade of a device.
///
/// @param approval a person or a program does it, and says when it is done
/// @param device that is upgraded
/// @param packageName of the device; absent: that of the barrier
/// @param version that the device is upgraded to
@Introspected
record BarrierMigrationRequest(
    @Nullable Boolean approval,
    @Nullable @NameOf(NameRule.DEVICE) String device,
    @Nullable @NameOf(NameRule.PACKAGE) @JsonProperty("package") String packageName,
    @Nullable @NameOf(NameRule.VERSION) String version)
    implements RequestBody {
  static BarrierMigrationRequest of(BarrierMigration migration) {
    return switch (migration) {
      case Approval() -> new BarrierMigrationRequest(true, null, null, null);
      case DeviceMigration(String device, Optional<String> packageName, String version) ->
          new BarrierMigrationRequest(null, device, packageName.orElse(null), version);
    };
  }

  @Override
  public void check(BodyErrors errors, Instant now) {
    boolean isApproval = Boolean.TRUE.equals(approval);
    if (errors.has("/device") || errors.has("/version") || errors.has("/approval")) {
      return;
    }
    if (isApproval == (device != null)) {
      errors.add("", "expected approval, which is true, or device, and one of them only");
    } else if (device != null && version == null) {
      errors.add("/version", "expected the version that the device is upgraded to");
    } else if (isApproval && (version != null || packageName != null)) {
      errors.add("", "expected package and version only with device");
    }
  }

  /// Returns the migration. To be called on one that was accepted.
  BarrierMigration migration() {
    return device == null || version == null
        ? new Approval()
        : new DeviceMigration(device, Optional.ofNullable(packageName), version);
  }
}
