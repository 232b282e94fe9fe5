package dev.uplift.cli.release;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;
import tools.jackson.databind.node.ObjectNode;

/// Content of `release.json`. The bytes of [#toBytes()] are signed, sent and stored, and never formatted again.
///
/// @param tenant whose hosts accept it; empty: every tenant whose root trusts the key
/// @param sequence order of the releases of a package: a newer one has a higher sequence
/// @param artifact none for kinds without a file
/// @param installsOver versions that this one may replace; empty: any
/// @param stepTimeouts how long its steps may take; empty: as the server has it
public record UnsignedRelease(
    String tenant,
    String name,
    String kind,
    String version,
    long sequence,
    Optional<Artifact> artifact,
    Map<String, String> arguments,
    List<String> installsOver,
    ObjectNode stepTimeouts,
    Instant createdAt) {
  private static final Pattern VERSION = Pattern.compile("[A-Za-z0-9.+~_][A-Za-z0-9.+~_-]{0,63}");

  /// A release for every tenant whose root trusts the key.
  public UnsignedRelease(
      String name,
      String kind,
      String version,
      long sequence,
      Optional<Artifact> artifact,
      Map<String, String> arguments,
      List<String> installsOver,
      Instant createdAt) {
    this(
        "",
        name,
        kind,
        version,
        sequence,
        artifact,
        arguments,
        installsOver,
        RestClient.JSON.createObjectNode(),
        createdAt);
  }

  public UnsignedRelease {
    requireVersion(version);
    installsOver.forEach(UnsignedRelease::requireVersion);
    if (sequence < 1) {
      throw CliException.usageError("--sequence " + sequence + ": expected 1 or more");
    }
    arguments = new TreeMap<>(arguments);
    installsOver = List.copyOf(installsOver);
    createdAt = createdAt.truncatedTo(ChronoUnit.SECONDS);
  }

  /// Size and SHA-256 of a file.
  public record Artifact(long size, String sha256) {
    public static Artifact of(Path file) {
      try (InputStream in = Files.newInputStream(file)) {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        long size = new DigestInputStream(in, digest).transferTo(OutputStream.nullOutputStream());
        return new Artifact(size, HexFormat.of().formatHex(digest.digest()));
      } catch (IOException e) {
        throw UserFile.cannotRead(file, e);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has SHA-256", e);
      }
    }
  }

  /// Signs and publishes the release, whose artifact the server must already have. Repeatable with the same text;
  /// another text of the same version is rejected.
  public void signAndPublish(RestClient restClient, SigningKey key) {
    byte[] text = toBytes();
    ObjectNode signed =
        RestClient.JSON.createObjectNode().put("release", new String(text, UTF_8)).put("signature", sign(key, text));
    var _ = restClient.send("POST", "releases", signed);
  }

  /// Returns the line of `release.sig` for these bytes of `release.json`. Deterministic.
  public static String sign(SigningKey key, byte[] release) {
    return key.sign(SignatureDomain.RELEASE, release) + "\n";
  }

  public byte[] toBytes() {
    ObjectNode json = RestClient.JSON.createObjectNode();
    if (!tenant.isEmpty()) {
      json.put("tenant", tenant);
    }
    json.put("package", name).put("kind", kind).put("version", version).put("sequence", sequence);
    artifact.ifPresent(file -> json.putObject("artifact").put("size", file.size()).put("sha256", file.sha256()));
    ObjectNode texts = json.putObject("arguments");
    arguments.forEach(texts::put);
    if (!installsOver.isEmpty()) {
      installsOver.forEach(json.putArray("installs_over")::add);
    }
    if (!stepTimeouts.isEmpty()) {
      json.set("step_timeouts", stepTimeouts);
    }
    json.put("created_at", createdAt.toString());
    return (json + "\n").getBytes(UTF_8);
  }

  private static void requireVersion(String version) {
    if (!VERSION.matcher(version).matches()) {
      throw CliException.usageError(
          "version \"" + version + "\": expected 1 to 64 of the characters A-Za-z0-9.+~_-, the first no -");
    }
  }
}
