package dev.uplift.agent.join;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;

import dev.uplift.agent.files.FileOps;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.Json;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.nats.Credentials;
import dev.uplift.protocol.nats.Nkey;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;

/// Who a host is: a folder beside the configuration, behind a link that is swapped, so that a host
/// is one or another and never half of both.
///
///     identity -> identity-NZPTIJTK
///       host.json    tenant, host, addresses
///       credentials  ticket and key, 0600
///       ca.pem       who vouches for servers; absent where the usual ones do
///       trust/       whose signatures count
///
/// @param link in the folder of the configuration
public record Identity(Path link) {
  private static final String NAME = "identity";

  /// That of the host whose configuration is in this folder.
  public static Identity beside(Path folder) {
    return new Identity(folder.resolve(NAME));
  }

  public boolean isThere() {
    return Files.exists(host());
  }

  /// `tenant`, `host`, `server`, `nats`.
  public Path host() {
    return link.resolve("host.json");
  }

  public Path credentials() {
    return link.resolve("credentials");
  }

  public Path authorities() {
    return link.resolve("ca.pem");
  }

  public Path trust() {
    return link.resolve("trust");
  }

  /// Whoever changes what the host is does so alone, and waits for others until they have closed
  /// this. A command of a person is another process than the agent that renews.
  FileChannel alone() throws IOException {
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
  public void become(FileOps files, Admission admission, Nkey key, String token)
      throws IOException {
    String name = key.name();
    Path folder = link.resolveSibling(NAME + "-" + name.substring(name.length() - 8));
    files.createFolders(folder);
    files.createFolder(folder.resolve("trust"));
    for (Map.Entry<String, String> file : admission.trust().entrySet()) {
      Path place = within(folder.resolve("trust"), file.getKey());
      files.createFolders(parent(place));
      files.write(place, file.getValue().getBytes(UTF_8));
    }
    keep(files, folder, admission, key, token);
    files.forceTree(folder);
    files.force(parent(folder));
    files.swapLink(link, folder.getFileName());
    forgetOthers(files, folder);
  }

  /// The same host, with another ticket, and perhaps another key. Whose signatures count is not
  /// changed by this.
  public void renew(FileOps files, Admission admission, Nkey key) throws IOException {
    keep(files, link.toRealPath(), admission, key, read().textOr("joined_with", ""));
  }

  /// Whether this is what the token of that hash has made of the host.
  boolean isBy(String token) throws IOException {
    return isThere() && read().textOr("joined_with", "").equals(token);
  }

  private static void keep(FileOps files, Path folder, Admission admission, Nkey key, String token)
      throws IOException {
    byte[] host =
        Json.object(json ->
            json.put("tenant", admission.tenant())
                .put("host", admission.host())
                .put("server", admission.server())
                .put("nats", admission.nats())
                .put("joined_with", token));
    change(files, folder.resolve("host.json"), host);
    if (!admission.authorities().isEmpty()) {
      change(files, folder.resolve("ca.pem"), admission.authorities().getBytes(UTF_8));
    }
    files.writeHidden(
        folder.resolve("credentials"),
        new Credentials(admission.jwt(), key).text().getBytes(UTF_8));
  }

  private static void change(FileOps files, Path file, byte[] content) throws IOException {
    if (!Files.exists(file) || !Arrays.equals(Files.readAllBytes(file), content)) {
      files.write(file, content);
    }
  }

  private static Path within(Path folder, String name) {
    Path place = folder.resolve(name).normalize();
    if (!place.startsWith(folder) || place.equals(folder)) {
      throw new MalformedMessage("trust: expected names of files");
    }
    return place;
  }

  private void forgetOthers(FileOps files, Path current) throws IOException {
    try (DirectoryStream<Path> all =
        Files.newDirectoryStream(parent(link.toAbsolutePath()), NAME + "-*")) {
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

  /// What `host.json` says.
  public Fields read() throws IOException {
    return Fields.of(Files.readAllBytes(host()));
  }
}
