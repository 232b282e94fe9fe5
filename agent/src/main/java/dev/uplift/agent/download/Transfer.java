package dev.uplift.agent.download;

import static java.net.HttpURLConnection.HTTP_CLIENT_TIMEOUT;
import static java.net.HttpURLConnection.HTTP_OK;
import static java.net.HttpURLConnection.HTTP_PARTIAL;

import dev.uplift.agent.driver.StepFailed;
import dev.uplift.protocol.ReleaseManifest.Artifact;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URL;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Brings what is missing of a part. Afterwards the part is as long as the artifact, or it throws.
///
/// The server is asked to go on where the part ends, and may answer that, or all of it, or that it
/// cannot; what it says is not taken for granted.
record Transfer(String address, Artifact artifact, Patience patience, Watch watch) {
  static final String WRONG_SIZE = "wrong-size";

  private static final int BUFFER = 64 * 1024;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final Set<Integer> PASSING = Set.of(HTTP_CLIENT_TIMEOUT, 425, 429);

  void run(Part part) throws StepFailed, IOException {
    if (part.length() == artifact.size()) {
      return;
    }
    if (!tryOnce(part)) {
      part.startOver("");
      if (!tryOnce(part)) {
        throw broken("asked for all of it, the server answers as if for a part");
      }
    }
  }

  /// @return false if the server cannot go on where the part ends
  private boolean tryOnce(Part part) throws StepFailed, IOException {
    HttpURLConnection connection = open(part);
    try {
      return switch (status(connection)) {
        case HTTP_PARTIAL -> part.length() > 0 && goOn(connection, part);
        case HTTP_OK -> all(connection, part);
        case RANGE_NOT_SATISFIABLE -> false;
        default -> throw refused(connection);
      };
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(Part part) throws StepFailed, IOException {
    HttpURLConnection connection = connect(url());
    connection.setConnectTimeout((int) patience.connect().toMillis());
    connection.setReadTimeout((int) patience.silence().toMillis());
    connection.setRequestProperty("Accept-Encoding", "identity");
    connection.setRequestProperty("User-Agent", "uplift-agent");
    if (part.length() > 0) {
      connection.setRequestProperty("Range", "bytes=" + part.length() + "-");
      if (!part.tag().isEmpty()) {
        connection.setRequestProperty("If-Range", part.tag());
      }
    }
    return connection;
  }

  private URL url() throws StepFailed {
    try {
      URI uri = new URI(address);
      if (Set.of("http", "https").contains(String.valueOf(uri.getScheme()))) {
        return uri.toURL();
      }
    } catch (Exception _) {
      // Said below: whatever is wrong with it, it is no address to fetch from.
    }
    throw StepFailed.fatal("bad-address", "expected an http or https address: " + withoutQuery());
  }

  private HttpURLConnection connect(URL url) throws StepFailed {
    try {
      return (HttpURLConnection) url.openConnection();
    } catch (IOException e) {
      throw broken(e.toString());
    }
  }

  private int status(HttpURLConnection connection) throws StepFailed {
    try {
      return connection.getResponseCode();
    } catch (IOException e) {
      throw broken(e.toString());
    }
  }

  private boolean goOn(HttpURLConnection connection, Part part) throws StepFailed {
    Optional<ContentRange> range = ContentRange.parse(header(connection, "Content-Range"));
    if (range.isEmpty() || range.get().start() != part.length()) {
      return false;
    }
    unlessSize(range.get().total());
    receive(connection, part);
    return true;
  }

  private boolean all(HttpURLConnection connection, Part part) throws StepFailed, IOException {
    unlessSize(connection.getContentLengthLong());
    String tag = header(connection, "ETag");
    part.startOver(tag.startsWith("\"") ? tag : "");
    receive(connection, part);
    return true;
  }

  private void receive(HttpURLConnection connection, Part part) throws StepFailed {
    byte[] buffer = new byte[BUFFER];
    Pace pace = new Pace(patience, artifact.size(), part.length(), watch.progress());
    try (InputStream in = connection.getInputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (watch.cancelled().getAsBoolean()) {
          throw StepFailed.cancelled();
        }
        if (n > artifact.size() - part.length()) {
          throw wrongSize("more");
        }
        part.add(buffer, n);
        if (pace.isTooSlow(part.length())) {
          throw broken("less than %d bytes a second".formatted(patience.slowBytesPerSecond()));
        }
      }
    } catch (IOException e) {
      throw broken(e.toString());
    }
    if (part.length() < artifact.size()) {
      throw broken("ended after %d of %d bytes".formatted(part.length(), artifact.size()));
    }
  }

  private void unlessSize(long size) throws StepFailed {
    if (size >= 0 && size != artifact.size()) {
      throw wrongSize(Long.toString(size));
    }
  }

  private StepFailed wrongSize(String found) {
    return StepFailed.fatal(
        WRONG_SIZE,
        "the artifact is not the one that was signed: expected %d bytes, found %s"
            .formatted(artifact.size(), found));
  }

  private StepFailed refused(HttpURLConnection connection) throws StepFailed {
    int status = status(connection);
    String text = withoutQuery() + " answers " + status;
    return status / 100 == 4 && !PASSING.contains(status)
        ? StepFailed.fatal("download-refused", text)
        : StepFailed.retryable("download-failed", text);
  }

  private StepFailed broken(String why) {
    return StepFailed.retryable("download-failed", withoutQuery() + ": " + why);
  }

  /// The query carries what the address is signed with.
  private String withoutQuery() {
    return address.replaceFirst("\\?.*", "");
  }

  private static String header(HttpURLConnection connection, String name) {
    @Nullable String value = connection.getHeaderField(name);
    return value == null ? "" : value;
  }
}
