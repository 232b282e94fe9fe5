package dev.uplift.protocol;

import dev.uplift.protocol.Heartbeat.State;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What an agent is and can do. The newest of a host is kept, so it can be read while the host is
/// away.
///
/// @param protocol version of this protocol that the agent speaks, from 1
/// @param drivers the kinds of release that it can bring
/// @param architecture of the host, as `uname -m` says it
/// @param versions of the host's packages, measured
/// @param refused how many messages this instance has refused to read or to believe
/// @param last how the newest command that has an answer ended
/// @param upgradeError why the last upgrade of the agent itself came to nothing; empty where it did
///   not, cut to 1,000 characters
/// @param rootVersion of the root that the host goes by; 0 where it has said none
public record AgentInfo(
    int protocol,
    String agentVersion,
    List<String> drivers,
    String architecture,
    SortedMap<String, String> versions,
    String bootId,
    String instance,
    State state,
    Instant at,
    long refused,
    Optional<Last> last,
    String upgradeError,
    long rootVersion) {
  public static final int MAX_BYTES = 16 * 1024;

  /// The version that this page of the protocol is.
  public static final int PROTOCOL = 1;

  private static final int DRIVERS = 16;

  /// An answer, without what the host looked like then.
  public record Last(String commandId, long epoch, Instant at, Result result) {
    public Last {
      Bounds.id("last_outcome.command_id", commandId);
      Bounds.between("last_outcome.epoch", epoch, 0, Long.MAX_VALUE);
    }
  }

  public AgentInfo {
    Bounds.between("protocol", protocol, 1, Integer.MAX_VALUE);
    Bounds.version("agent_version", agentVersion);
    Bounds.between("drivers (entries)", drivers.size(), 0, DRIVERS);
    drivers.forEach(kind -> Bounds.word("drivers", kind));
    drivers = List.copyOf(drivers);
    Bounds.idOrEmpty("architecture", architecture);
    Bounds.versions("versions", versions);
    versions = Collections.unmodifiableSortedMap(new TreeMap<>(versions));
    Bounds.id("boot_id", bootId);
    Bounds.id("instance", instance);
    Bounds.between("refused", refused, 0, Long.MAX_VALUE);
    upgradeError = Bounds.shortened(upgradeError);
    Bounds.between("root_version", rootVersion, 0, Long.MAX_VALUE);
  }

  /// Of an agent whose own upgrade has not failed, and that says no root.
  public AgentInfo(
      int protocol,
      String agentVersion,
      List<String> drivers,
      String architecture,
      SortedMap<String, String> versions,
      String bootId,
      String instance,
      State state,
      Instant at,
      long refused,
      Optional<Last> last) {
    this(
        protocol,
        agentVersion,
        drivers,
        architecture,
        versions,
        bootId,
        instance,
        state,
        at,
        refused,
        last,
        "",
        0);
  }

  /// Bytes that are too many, not JSON or not an info are a [MalformedMessage].
  public static AgentInfo read(byte[] json) {
    Fields in = Fields.of(Bounds.bytes("info", json, MAX_BYTES));
    return new AgentInfo(
        (int) Math.min(in.number("protocol"), Integer.MAX_VALUE),
        in.textOr("agent_version", "unknown"),
        in.listOr("drivers", List.of()),
        in.textOr("architecture", ""),
        in.textsOr("versions", new TreeMap<>()),
        in.text("boot_id"),
        in.text("instance"),
        in.word("state", State.values()),
        in.instant("at"),
        in.numberOr("refused", 0),
        last(in),
        in.textOr("upgrade_error", ""),
        in.numberOr("root_version", 0));
  }

  private static Optional<Last> last(Fields in) {
    if (!in.has("last_outcome")) {
      return Optional.empty();
    }
    Fields last = in.inner("last_outcome");
    return Optional.of(
        new Last(
            last.text("command_id"),
            last.numberOr("epoch", 0),
            last.instant("at"),
            Result.read(last)));
  }

  public byte[] write() {
    return Bounds.bytes("info", Json.object(this::write), MAX_BYTES);
  }

  private void write(Json out) {
    out.put("protocol", protocol).put("agent_version", agentVersion).put("drivers", drivers);
    out.putUnlessEmpty("architecture", architecture).put("versions", versions);
    out.put("boot_id", bootId).put("instance", instance).put("state", state).put("at", at);
    out.put("refused", refused).putUnlessEmpty("upgrade_error", upgradeError);
    if (rootVersion > 0) {
      out.put("root_version", rootVersion);
    }
    last.ifPresent(known ->
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
