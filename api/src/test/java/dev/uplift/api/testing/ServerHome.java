package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.nats.NatsKeyFolder;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import tools.jackson.databind.json.JsonMapper;

/// A folder with the files that a server needs, and the environment that names them.
public final class ServerHome implements AutoCloseable {
  public static final String TOKEN_SECRET = "tokens-0123456789-0123456789-0123456789";

  /// The previous secret, which is still valid.
  public static final String EARLIER_TOKEN_SECRET = "earlier-0123456789-0123456789-0123456789";

  public static final String ARTIFACT_SECRET = "artifacts-0123456789-0123456789-012345";

  private final Path folder;
  private final SigningKey rootKey = SigningKey.generate();
  private final SigningKey releaseKey = SigningKey.generate();
  private final SigningKey commandKey = SigningKey.generate();

  public ServerHome() {
    try {
      folder = Files.createTempDirectory("uplift-api-test");
      Files.createDirectories(folder.resolve("command"));
      Files.createDirectories(folder.resolve("artifacts"));
      Files.writeString(folder.resolve("command/1.pem"), commandKey.toPem());
      new NatsKeyFolder(folder.resolve("realm"), folder.resolve("realm/offline")).create();
      Files.writeString(folder.resolve("tokens.secret"), TOKEN_SECRET + "\n" + EARLIER_TOKEN_SECRET + "\n");
      Files.writeString(folder.resolve("artifacts.secret"), ARTIFACT_SECRET);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /// Returns an environment with a database in memory, and unreachable NATS and Temporal.
  public Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("UPLIFT_DATABASE_URL", "jdbc:h2:mem:" + folder.getFileName());
    environment.put("UPLIFT_TEMPORAL_ADDRESS", "127.0.0.1:1");
    environment.put("UPLIFT_TEMPORAL_UI_URL", "http://127.0.0.1:2");
    environment.put("UPLIFT_NATS_URL", "nats://127.0.0.1:1");
    environment.put("UPLIFT_ENROLMENT_KEYS_FOLDER", path("realm/enrolment"));
    environment.put("UPLIFT_COMMAND_KEYS_FOLDER", path("command"));
    environment.put("UPLIFT_ARTIFACTS_FOLDER", path("artifacts"));
    environment.put("UPLIFT_ARTIFACTS_SECRET_FILE", path("artifacts.secret"));
    environment.put("UPLIFT_PUBLIC_URL", "http://127.0.0.1:8080");
    environment.put("UPLIFT_JWT_SECRET_FILE", path("tokens.secret"));
    return environment;
  }

  public String path(String name) {
    return folder.resolve(name).toString();
  }

  public SigningKey rootKey() {
    return rootKey;
  }

  public SigningKey commandKey() {
    return commandKey;
  }

  /// Returns the first root of a tenant.
  public TestRoot root(String tenant) {
    return new TestRoot(tenant, rootKey, releaseKey, commandKey);
  }

  public SigningKey releaseKey() {
    return releaseKey;
  }

  /// Returns the body that publishes a release without an artifact.
  public String release(String packageName, String version, long sequence) {
    return release(packageName, version, sequence, "");
  }

  /// As above.
  ///
  /// @param more further fields, each followed by a comma
  public String release(String packageName, String version, long sequence, String more) {
    String text =
        """
        {"package":"%s","kind":"simulated","version":"%s","sequence":%d,%s
         "created_at":"2026-11-20T00:00:00Z"}\
        """
            .formatted(packageName, version, sequence, more);
    return JsonMapper.shared()
        .createObjectNode()
        .put("release", text)
        .put("signature", releaseKey.sign(SignatureDomain.RELEASE, text.getBytes(UTF_8)))
        .toString();
  }

  @Override
  public void close() {
    try (var files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
