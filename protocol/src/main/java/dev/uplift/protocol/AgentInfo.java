package dev.uplift.protocol;

import dev.uplift.protocol.Heartbeat.State;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Describes an agent and what it can do. The newest of each host is kept, so it can be read while the host is offline.
///
/// @param protocolVersion version of this protocol that the agent speaks, from 1
/// @param drivers the kinds of release that it can install
/// @param architecture of the host, as `uname -m` prints it
/// @param versions of the host's packages, measured
/// @param rejectedMessages how many messages this instance has rejected as unreadable or untrusted
/// @param lastOutcome how the newest answered command ended
/// @param upgradeError why the last upgrade of the agent itself failed; empty if it did not, cut to 1,000 characters
/// @param rootVersion of the root that the host uses; 0 if it has reported none
/// @param holds of packages, by the owner of the host; some may be over
/// @param offers what the repositories of the host offer, of the packages whose drivers say that
/// @param halts of packages, by barriers; empty if the agent knows no halts
public record AgentInfo(
    int protocolVersion,
    String agentVersion,
    List<String> drivers,
    String architecture,
    SortedMap<String, String> versions,
    String bootId,
    String instance,
    State state,
    Instant at,
    long rejectedMessages,
    Optional<LastOutcome> lastOutcome,
    String upgradeError,
    long rootVersion,
    SortedMap<String, PackageHold> holds,
    SortedMap<String, PackageOffer> offers,
    Optional<SortedMap<String, PackageHalt>> halts) {
  public static final int MAX_BYTES = 16 * 1024;

  /// The version that this page of the protocol is.
  public static final int PROTOCOL_VERSION = 1;

  private static final int MAX_DRIVERS = 16;

  /// An answer, without what the host looked like then.
  public record LastOutcome(String commandId, long epoch, Instant at, CommandResult result) {
    public LastOutcome {
      FieldLimits.requireId("last_outcome.command_id", commandId);
      FieldLimits.requireBetween("last_outcome.epoch", epoch, 0, Long.MAX_VALUE);
    }
  }

  public AgentInfo {
    FieldLimits.requireBetween("protocol_version", protocolVersion, 1, Integer.MAX_VALUE);
    FieldLimits.requireVersion("agent_version", agentVersion);
    FieldLimits.requireBetween("drivers (entries)", drivers.size(), 0, MAX_DRIVERS);
    drivers.forEach(kind -> FieldLimits.requireWord("drivers", kind));
    drivers = List.copyOf(drivers);
    FieldLimits.requireIdOrEmpty("architecture", architecture);
    FieldLimits.requireVersions("versions", versions);
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    FieldLimits.requireId("boot_id", bootId);
    FieldLimits.requireId("instance", instance);
    FieldLimits.requireBetween("rejected_messages", rejectedMessages, 0, Long.MAX_VALUE);
    upgradeError = FieldLimits.truncate(upgradeError);
    FieldLimits.requireBetween("root_version", rootVersion, 0, Long.MAX_VALUE);
    FieldLimits.requireBetween("holds (entries)", holds.size(), 0, FieldLimits.MAX_VERSIONS);
    holds = Collections.unmodifiableSortedMap(new TreeMap<>(holds));
    FieldLimits.requireBetween("offers (entries)", offers.size(), 0, FieldLimits.MAX_VERSIONS);
    offers = Collections.unmodifiableSortedMap(new TreeMap<>(offers));
    if (halts.isPresent()) {
      FieldLimits.requireBetween("halts (entries)", halts.get().size(), 0, FieldLimits.MAX_VERSIONS);
      halts = Optional.of(Collections.unmodifiableSortedMap(new TreeMap<>(halts.get())));
    }
  }

  /// Of an agent whose own upgrade has not failed, that says no root, no holds and no offers, and knows no halts.
  public AgentInfo(
      int protocolVersion,
      String agentVersion,
      List<String> drivers,
      String architecture,
      SortedMap<String, String> versions,
      String bootId,
      String instance,
      State state,
      Instant at,
      long rejectedMessages,
      Optional<LastOutcome> lastOutcome) {
    this(
        protocolVersion,
        agentVersion,
        drivers,
        architecture,
        versions,
        bootId,
        instance,
        state,
        at,
        rejectedMessages,
        lastOutcome,
        "",
        0,
        new TreeMap<>(),
        new TreeMap<>(),
        Optional.empty());
  }

  /// The same, said at another time.
  public AgentInfo withAt(Instant other) {
    return new AgentInfo(
        protocolVersion,
        agentVersion,
        drivers,
        architecture,
        versions,
        bootId,
        instance,
        state,
        other,
        rejectedMessages,
        lastOutcome,
        upgradeError,
        rootVersion,
        holds,
        offers,
        halts);
  }

  /// Bytes that are too many, not JSON or not an info are a [MalformedMessage].
  public static AgentInfo read(byte[] json) {
    JsonObject in = JsonObject.parse(FieldLimits.requireMaxBytes("info", json, MAX_BYTES));
    return new AgentInfo(
        (int) Math.min(in.number("protocol_version"), Integer.MAX_VALUE),
        in.stringOr("agent_version", "unknown"),
        in.stringListOr("drivers", List.of()),
        in.stringOr("architecture", ""),
        in.stringMapOr("versions", new TreeMap<>()),
        in.string("boot_id"),
        in.string("instance"),
        in.enumValue("state", State.values()),
        in.instant("at"),
        in.numberOr("rejected_messages", 0),
        lastOutcome(in),
        in.stringOr("upgrade_error", ""),
        in.numberOr("root_version", 0),
        PackageHold.readAll(in.object("holds")),
        PackageOffer.readAll(in.object("offers")),
        in.has("halts") ? Optional.of(PackageHalt.readAll(in.object("halts"))) : Optional.empty());
  }

  private static Optional<LastOutcome> lastOutcome(JsonObject in) {
    if (!in.has("last_outcome")) {
      return Optional.empty();
    }
    JsonObject last = in.object("last_outcome");
    return Optional.of(
        new LastOutcome(
            last.string("command_id"), last.numberOr("epoch", 0), last.instant("at"), CommandResult.read(last)));
  }

  public byte[] write() {
    return FieldLimits.requireMaxBytes("info", JsonWriter.toBytes(this::write), MAX_BYTES);
  }

  private void write(JsonWriter out) {
    out.put("protocol_version", protocolVersion).put("agent_version", agentVersion).put("drivers", drivers);
    out.putUnlessEmpty("architecture", architecture).put("versions", versions);
    out.put("boot_id", bootId).put("instance", instance).put("state", state).put("at", at);
    out.put("rejected_messages", rejectedMessages).putUnlessEmpty("upgrade_error", upgradeError);
    if (rootVersion > 0) {
      out.put("root_version", rootVersion);
    }
    if (!holds.isEmpty()) {
      out.put("holds", inner -> PackageHold.writeAll(inner, holds));
    }
    if (!offers.isEmpty()) {
      out.put("offers", inner -> PackageOffer.writeAll(inner, offers));
    }
    if (halts.isPresent()) {
      SortedMap<String, PackageHalt> halted = halts.get();
      out.put(
          "halts",
          inner -> {
            if (!halted.isEmpty()) {
              PackageHalt.writeAll(inner, halted);
            }
          });
    }
    lastOutcome.ifPresent(known ->
        out.put(
            "last_outcome",
            inner -> {
              inner.put("command_id", known.commandId).put("epoch", known.epoch);
              inner.put("at", known.at);
              known.result.write(inner);
            }));
  }

  public String version(String packageName) {
    return versions.getOrDefault(packageName, "unknown");
  }
}
