package dev.uplift.store;

/// What somebody did.
///
/// @param who the subject of the token
/// @param action a verb: `device.put`, `upgrade.abort`
/// @param target what it was done to: `device/left`
/// @param from the address that it came from
/// @param detail JSON or text; may be empty
public record AuditEntry(
    String tenant, String who, String action, String target, String from, String detail) {}
