package dev.uplift.store;

import dev.uplift.fleet.DeviceId;
import dev.uplift.fleet.HostId;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/// The tables `device` and `device_label`, and which host is on which device. A host is on one
/// device of its tenant or on none.
@SuppressWarnings("DoNotCallSuggester")
public final class Devices {
  public Devices(Database database, InstantSource clock) {}

  /// The device is as `spec` says. What holds it stays.
  ///
  /// @throws NoSuchTenant if there is none for it
  public Saved put(DeviceSpec spec, Expected expected) {
    throw new UnsupportedOperationException();
  }

  /// The device is as `change` makes it of what it is; nobody else changes it meanwhile.
  ///
  /// @param change keeps the id; may be called more than once
  public Saved patch(DeviceId id, Expected expected, UnaryOperator<DeviceSpec> change) {
    throw new UnsupportedOperationException();
  }

  /// Nothing is upgraded on the device from now on; replaces an earlier hold.
  ///
  /// @param until empty if somebody has to end it
  public Saved hold(DeviceId id, String reason, String by, Optional<Instant> until) {
    throw new UnsupportedOperationException();
  }

  /// Nothing holds the device any more.
  public Saved letGo(DeviceId id) {
    throw new UnsupportedOperationException();
  }

  /// The device is gone, and with it its hosts and what they said. Its upgrades stay in the
  /// records.
  public Removal remove(DeviceId id, Expected expected) {
    throw new UnsupportedOperationException();
  }

  public Optional<DeviceRow> find(DeviceId id) {
    throw new UnsupportedOperationException();
  }

  /// The device that a host is on.
  public Optional<DeviceRow> ofHost(String tenant, HostId host) {
    throw new UnsupportedOperationException();
  }

  /// By name.
  ///
  /// @param labels that a device must all have, with these values
  public Page<DeviceRow> list(String tenant, Map<String, String> labels, PageRequest page) {
    throw new UnsupportedOperationException();
  }
}
