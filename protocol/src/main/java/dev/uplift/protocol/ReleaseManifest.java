package dev.uplift.protocol;

import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// `release.json`: describes a release. The signature covers the bytes as they were written, so those are kept and
/// passed on, and never written again from what was read.
///
/// @param tenant only hosts of this tenant may install it; empty: of every tenant whose root names its keys
/// @param kind selects the driver
/// @param sequence rises with every release of the package; decides which is newer
/// @param artifact absent for kinds that fetch for themselves
/// @param arguments for the driver
/// @param installsOver the versions it may be installed over; empty: any
/// @param stepTimeouts how long its steps may take, unless a rollout or an upgrade says otherwise
public record ReleaseManifest(
    String tenant,
    String packageName,
    String kind,
    String version,
    long sequence,
    Optional<Artifact> artifact,
    SortedMap<String, String> arguments,
    List<String> installsOver,
    StepSeconds stepTimeouts,
    Instant createdAt) {
  /// So that a command has room for it, whatever has to be escaped.
  public static final int MAX_BYTES = 12 * 1024;

  public static final int MAX_SIGNATURE_CHARS = 1024;

  private static final int MAX_ENTRIES = 64;

  /// The file that is installed: its size in bytes and its SHA-256 in hex.
  public record Artifact(long size, String sha256) {
    public Artifact {
      FieldLimits.requireBetween("artifact.size", size, 0, 1L << 40);
      FieldLimits.requireSha256("artifact.sha256", sha256);
    }
  }

  /// Time-outs of steps in seconds; zero: the release says nothing about the step.
  public record StepSeconds(long prepare, long upgrade, long reboot, long awaitHeartbeat, long rollback) {
    /// A week.
    public static final long MAX = 604_800;

    public static final StepSeconds NONE = new StepSeconds(0, 0, 0, 0, 0);

    public StepSeconds {
      FieldLimits.requireBetween("step_timeouts.prepare_s", prepare, 0, MAX);
      FieldLimits.requireBetween("step_timeouts.upgrade_s", upgrade, 0, MAX);
      FieldLimits.requireBetween("step_timeouts.reboot_s", reboot, 0, MAX);
      FieldLimits.requireBetween("step_timeouts.await_heartbeat_s", awaitHeartbeat, 0, MAX);
      FieldLimits.requireBetween("step_timeouts.rollback_s", rollback, 0, MAX);
    }

    private static StepSeconds read(JsonObject in) {
      return new StepSeconds(
          in.numberOr("prepare_s", 0),
          in.numberOr("upgrade_s", 0),
          in.numberOr("reboot_s", 0),
          in.numberOr("await_heartbeat_s", 0),
          in.numberOr("rollback_s", 0));
    }

    private void write(JsonWriter out) {
      put(out, "prepare_s", prepare);
      put(out, "upgrade_s", upgrade);
      put(out, "reboot_s", reboot);
      put(out, "await_heartbeat_s", awaitHeartbeat);
      put(out, "rollback_s", rollback);
    }

    private static void put(JsonWriter out, String name, long seconds) {
      if (seconds > 0) {
        out.put(name, seconds);
      }
    }
  }

  /// For every tenant whose root names its keys, with the server's time-outs.
  public ReleaseManifest(
      String packageName,
      String kind,
      String version,
      long sequence,
      Optional<Artifact> artifact,
      SortedMap<String, String> arguments,
      List<String> installsOver,
      Instant createdAt) {
    this("", packageName, kind, version, sequence, artifact, arguments, installsOver, StepSeconds.NONE, createdAt);
  }

  public ReleaseManifest {
    if (!tenant.isEmpty()) {
      FieldLimits.requireTenant("tenant", tenant);
    }
    FieldLimits.requirePackageName("package", packageName);
    FieldLimits.requireWord("kind", kind);
    FieldLimits.requireVersion("version", version);
    FieldLimits.requireBetween("sequence", sequence, 1, Long.MAX_VALUE);
    FieldLimits.requireBetween("arguments (entries)", arguments.size(), 0, MAX_ENTRIES);
    arguments = Collections.unmodifiableSortedMap(new TreeMap<>(arguments));
    FieldLimits.requireBetween("installs_over (entries)", installsOver.size(), 0, MAX_ENTRIES);
    installsOver.forEach(from -> FieldLimits.requireVersion("installs_over", from));
    installsOver = List.copyOf(installsOver);
  }

  /// Bytes that are too many, not JSON or not a release are a [MalformedMessage].
  public static ReleaseManifest read(byte[] json) {
    JsonObject in = JsonObject.parse(FieldLimits.requireMaxBytes("release", json, MAX_BYTES));
    return new ReleaseManifest(
        in.stringOr("tenant", ""),
        in.string("package"),
        in.string("kind"),
        in.string("version"),
        in.number("sequence"),
        artifact(in),
        in.stringMapOr("arguments", new TreeMap<>()),
        in.stringListOr("installs_over", List.of()),
        StepSeconds.read(in.object("step_timeouts")),
        in.instant("created_at"));
  }

  private static Optional<Artifact> artifact(JsonObject in) {
    if (!in.has("artifact")) {
      return Optional.empty();
    }
    JsonObject artifact = in.object("artifact");
    return Optional.of(new Artifact(artifact.number("size"), artifact.string("sha256")));
  }

  public byte[] write() {
    return FieldLimits.requireMaxBytes("release", JsonWriter.toBytes(this::write), MAX_BYTES);
  }

  private void write(JsonWriter out) {
    out.putUnlessEmpty("tenant", tenant);
    out.put("package", packageName).put("kind", kind).put("version", version);
    out.put("sequence", sequence);
    artifact.ifPresent(file -> out.put("artifact", inner -> inner.put("size", file.size).put("sha256", file.sha256)));
    out.put("arguments", arguments);
    if (!installsOver.isEmpty()) {
      out.put("installs_over", installsOver);
    }
    if (!stepTimeouts.equals(StepSeconds.NONE)) {
      out.put("step_timeouts", stepTimeouts::write);
    }
    out.put("created_at", createdAt);
  }

  /// Returns whether hosts of this tenant may have it.
  public boolean isForTenant(String wanted) {
    return tenant.isEmpty() || tenant.equals(wanted);
  }

  /// Returns whether it may be installed on a host that runs `version`.
  public boolean canBeInstalledOver(String version) {
    return installsOver.isEmpty() || installsOver.contains(version);
  }
}
