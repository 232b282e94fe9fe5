package dev.uplift.store.audit;

/// An action of an operator, to be recorded.
///
/// @param actor the subject of the token
/// @param action a verb: `device.put`, `upgrade.abort`
/// @param target what it was done to: `device/left`
/// @param origin the address that it came from
/// @param detail JSON or text; may be empty
public record AuditEntry(String tenant, String actor, String action, String target, String origin, String detail) {}
