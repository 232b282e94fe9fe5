package dev.uplift.protocol;

import java.time.Instant;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// `release.json`: what a release is. Signed as the bytes that it was written as, so those are kept
/// and passed on; nobody writes it anew from what was read.
///
/// @param tenant whose hosts alone may have it; empty: of every tenant whose root names its keys
/// @param kind selects the driver
/// @param sequence rises with every release of the package; decides what is newer
/// @param artifact absent for kinds that fetch for themselves
/// @param arguments for the driver
/// @param installsOver the versions it may be installed over; empty: any
public record ReleaseManifest(
    String tenant,
    String packageName,
    String kind,
    String version,
    long sequence,
    Optional<Artifact> artifact,
    SortedMap<String, String> arguments,
    List<String> installsOver,
    Instant createdAt) {
  /// So that a command has room for it, whatever has to be escaped.
  public static final int MAX_BYTES = 12 * 1024;

  public static final int MAX_SIGNATURE_CHARS = 1024;

  private static final int ENTRIES = 64;

  /// The file that is installed: its size in bytes and its SHA-256 in hex.
  public record Artifact(long size, String sha256) {
    public Artifact {
      Bounds.between("artifact.size", size, 0, 1L << 40);
      Bounds.sha256("artifact.sha256", sha256);
    }
  }

  /// For every tenant whose root names its keys.
  public ReleaseManifest(
      String packageName,
      String kind,
      String version,
      long sequence,
      Optional<Artifact> artifact,
      SortedMap<String, String> arguments,
      List<String> installsOver,
      Instant createdAt) {
    this("", packageName, kind, version, sequence, artifact, arguments, installsOver, createdAt);
  }

  public ReleaseManifest {
    if (!tenant.isEmpty()) {
      Bounds.tenant("tenant", tenant);
    }
    Bounds.packageName("package", packageName);
    Bounds.word("kind", kind);
    Bounds.version("version", version);
    Bounds.between("sequence", sequence, 1, Long.MAX_VALUE);
    Bounds.between("arguments (entries)", arguments.size(), 0, ENTRIES);
    arguments = Collections.unmodifiableSortedMap(new TreeMap<>(arguments));
    Bounds.between("installs_over (entries)", installsOver.size(), 0, ENTRIES);
    installsOver.forEach(from -> Bounds.version("installs_over", from));
    installsOver = List.copyOf(installsOver);
  }

  /// Bytes that are too many, not JSON or not a release are a [MalformedMessage].
  public static ReleaseManifest read(byte[] json) {
    Fields in = Fields.of(Bounds.bytes("release", json, MAX_BYTES));
    return new ReleaseManifest(
        in.textOr("tenant", ""),
        in.text("package"),
        in.text("kind"),
        in.text("version"),
        in.number("sequence"),
        artifact(in),
        in.textsOr("arguments", new TreeMap<>()),
        in.listOr("installs_over", List.of()),
        in.instant("created_at"));
  }

  private static Optional<Artifact> artifact(Fields in) {
    if (!in.has("artifact")) {
      return Optional.empty();
    }
    Fields artifact = in.inner("artifact");
    return Optional.of(new Artifact(artifact.number("size"), artifact.text("sha256")));
  }

  public byte[] write() {
    return Bounds.bytes("release", Json.object(this::write), MAX_BYTES);
  }

  private void write(Json out) {
    out.putUnlessEmpty("tenant", tenant);
    out.put("package", packageName).put("kind", kind).put("version", version);
    out.put("sequence", sequence);
    artifact.ifPresent(file ->
        out.put("artifact", inner -> inner.put("size", file.size).put("sha256", file.sha256)));
    out.put("arguments", arguments);
    if (!installsOver.isEmpty()) {
      out.put("installs_over", installsOver);
    }
    out.put("created_at", createdAt);
  }

  /// Whether hosts of this tenant may have it.
  public boolean isFor(String wanted) {
    return tenant.isEmpty() || tenant.equals(wanted);
  }

  /// Whether it may be brought to a host that runs `version`.
  public boolean mayBeInstalledOver(String version) {
    return installsOver.isEmpty() || installsOver.contains(version);
  }
}
