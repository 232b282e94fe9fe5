package dev.uplift.agent.enrolment;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.JsonWriter;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/// The identity of a host: a folder beside the configuration, behind a link that is swapped, so
/// that it is never half changed.
///
///     identity -> identity-NZPTIJTK   0700
///       host.json    tenant, host, addresses
///       credentials  user JWT and key, 0600
///       ca.pem       authorities of servers; absent if the usual ones are enough
///       trust/       trusted signing keys
///
/// @param link in the folder of the configuration
public record HostIdentity(Path link) {
  private static final String NAME = "identity";

  /// That of the host whose configuration is in this folder.
  public static HostIdentity beside(Path folder) {
    return new HostIdentity(folder.resolve(NAME));
  }

  public boolean exists() {
    return Files.exists(hostFile());
  }

  /// `tenant`, `host`, `server`, `nats`.
  public Path hostFile() {
    return link.resolve("host.json");
  }

  public Path credentialsFile() {
    return link.resolve("credentials");
  }

  public Path caFile() {
    return link.resolve("ca.pem");
  }

  public Path trustFolder() {
    return link.resolve("trust");
  }

  /// Locks the identity for a change, and blocks while another process holds the lock: an operator's command is another
  /// process than the agent that renews.
  FileChannel lock() throws IOException {
    FileChannel lock = FileChannel.open(link.resolve(".lock"), CREATE, WRITE);
    try {
      var _ = lock.lock();
      return lock;
    } catch (IOException e) {
      lock.close();
      throw e;
    }
  }

  /// The host is what it was admitted as, from now on. What it was before is deleted.
  ///
  /// @param token hash of the token that it joined with
  public void replace(FileOps files, EnrolmentResponse enrolmentResponse, Nkey key, String token) throws IOException {
    String name = key.publicKey();
    Path folder = link.resolveSibling(NAME + "-" + name.substring(name.length() - 8));
    files.createPrivateFolder(folder);
    files.createFolder(folder.resolve("trust"));
    for (Map.Entry<String, String> file : enrolmentResponse.trust().entrySet()) {
      Path place = resolveInside(folder.resolve("trust"), file.getKey());
      files.createFolders(parent(place));
      files.write(place, file.getValue().getBytes(UTF_8));
    }
    writeFiles(files, folder, enrolmentResponse, key, token);
    files.forceTree(folder);
    files.force(parent(folder));
    files.replaceLink(link, folder.getFileName());
    deleteOthers(files, folder);
  }

  /// Replaces the user JWT of the same host, and perhaps the key. Trusted signing keys are not changed.
  public void update(FileOps files, EnrolmentResponse enrolmentResponse, Nkey key) throws IOException {
    writeFiles(files, link.toRealPath(), enrolmentResponse, key, readHost().stringOr("enrolled_with", ""));
  }

  /// Returns whether the token of that hash has enrolled the host.
  boolean wasEnrolledWith(String token) throws IOException {
    return exists() && readHost().stringOr("enrolled_with", "").equals(token);
  }

  private static void writeFiles(
      FileOps files, Path folder, EnrolmentResponse enrolmentResponse, Nkey key, String token) throws IOException {
    byte[] host =
        JsonWriter.toBytes(jsonWriter ->
            jsonWriter
                .put("tenant", enrolmentResponse.tenant())
                .put("host", enrolmentResponse.host())
                .put("server_url", enrolmentResponse.serverUrl())
                .put("nats_urls", enrolmentResponse.natsUrls())
                .put("enrolled_with", token));
    writeIfChanged(files, folder.resolve("host.json"), host);
    if (!enrolmentResponse.caCertificates().isEmpty()) {
      writeIfChanged(files, folder.resolve("ca.pem"), enrolmentResponse.caCertificates().getBytes(UTF_8));
    }
    files.writePrivate(
        folder.resolve("credentials"), new Credentials(enrolmentResponse.jwt(), key).format().getBytes(UTF_8));
  }

  private static void writeIfChanged(FileOps files, Path file, byte[] content) throws IOException {
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), content)) {
      files.write(file, content);
    }
  }

  private static Path resolveInside(Path folder, String name) {
    Path place = folder.resolve(name).normalize();
    if (!place.startsWith(folder) || place.equals(folder)) {
      throw new MalformedMessage("trust: expected names of files");
    }
    return place;
  }

  private void deleteOthers(FileOps files, Path current) throws IOException {
    try (DirectoryStream<Path> all = Files.newDirectoryStream(parent(link.toAbsolutePath()), NAME + "-*")) {
      for (Path each : all) {
        if (!each.getFileName().equals(current.getFileName())) {
          files.deleteTree(each);
        }
      }
    }
  }

  private static Path parent(Path path) {
    Path parent = path.toAbsolutePath().getParent();
    return parent == null ? path : parent;
  }

  /// The content of `host.json`.
  public JsonObject readHost() throws IOException {
    return JsonObject.parse(Files.readAllBytes(hostFile()));
  }
}
