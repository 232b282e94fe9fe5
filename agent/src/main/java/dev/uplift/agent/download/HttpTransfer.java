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
/// The server is asked to continue where the part ends, and may answer that, or all of it, or that it cannot; what it
/// says is not taken for granted.
record HttpTransfer(String address, Artifact artifact, DownloadTimeouts timeouts, DownloadControl control) {
  static final String WRONG_SIZE = "wrong-size";

  private static final int BUFFER = 64 * 1024;
  private static final int RANGE_NOT_SATISFIABLE = 416;
  private static final Set<Integer> RETRYABLE_STATUSES = Set.of(HTTP_CLIENT_TIMEOUT, 425, 429);

  void run(PartialDownload partialDownload) throws StepFailed, IOException {
    if (partialDownload.length() == artifact.size()) {
      return;
    }
    if (!tryOnce(partialDownload)) {
      partialDownload.startOver("");
      if (!tryOnce(partialDownload)) {
        throw connectionFailed("asked for all of it, the server answers as if for a part");
      }
    }
  }

  /// @return false if the server cannot continue where the part ends
  private boolean tryOnce(PartialDownload partialDownload) throws StepFailed, IOException {
    HttpURLConnection connection = open(partialDownload);
    try {
      return switch (status(connection)) {
        case HTTP_PARTIAL -> partialDownload.length() > 0 && resume(connection, partialDownload);
        case HTTP_OK -> restart(connection, partialDownload);
        case RANGE_NOT_SATISFIABLE -> false;
        default -> throw statusFailure(connection);
      };
    } finally {
      connection.disconnect();
    }
  }

  private HttpURLConnection open(PartialDownload partialDownload) throws StepFailed, IOException {
    HttpURLConnection connection = connect(url());
    // The server that answers does not choose which other addresses this host requests.
    connection.setInstanceFollowRedirects(false);
    connection.setConnectTimeout((int) timeouts.connect().toMillis());
    connection.setReadTimeout((int) timeouts.read().toMillis());
    connection.setRequestProperty("Accept-Encoding", "identity");
    connection.setRequestProperty("User-Agent", "uplift-agent");
    if (partialDownload.length() > 0) {
      connection.setRequestProperty("Range", "bytes=" + partialDownload.length() + "-");
      if (!partialDownload.entityTag().isEmpty()) {
        connection.setRequestProperty("If-Range", partialDownload.entityTag());
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
    throw StepFailed.fatal("invalid-url", "expected an http or https address: " + withoutQuery());
  }

  private HttpURLConnection connect(URL url) throws StepFailed {
    try {
      return (HttpURLConnection) url.openConnection();
    } catch (IOException e) {
      throw connectionFailed(e.toString());
    }
  }

  private int status(HttpURLConnection connection) throws StepFailed {
    try {
      return connection.getResponseCode();
    } catch (IOException e) {
      throw connectionFailed(e.toString());
    }
  }

  private boolean resume(HttpURLConnection connection, PartialDownload partialDownload) throws StepFailed {
    Optional<ContentRange> range = ContentRange.parse(header(connection, "Content-Range"));
    if (range.isEmpty() || range.get().start() != partialDownload.length()) {
      return false;
    }
    requireSize(range.get().total());
    receive(connection, partialDownload);
    return true;
  }

  private boolean restart(HttpURLConnection connection, PartialDownload partialDownload)
      throws StepFailed, IOException {
    requireSize(connection.getContentLengthLong());
    String tag = header(connection, "ETag");
    partialDownload.startOver(tag.startsWith("\"") ? tag : "");
    receive(connection, partialDownload);
    return true;
  }

  private void receive(HttpURLConnection connection, PartialDownload partialDownload) throws StepFailed {
    byte[] buffer = new byte[BUFFER];
    SpeedMonitor speedMonitor =
        new SpeedMonitor(timeouts, artifact.size(), partialDownload.length(), control.progress());
    try (InputStream in = connection.getInputStream()) {
      for (int n = in.read(buffer); n >= 0; n = in.read(buffer)) {
        if (control.cancelled().getAsBoolean()) {
          throw StepFailed.cancelled();
        }
        if (n > artifact.size() - partialDownload.length()) {
          throw wrongSize("more");
        }
        partialDownload.append(buffer, n);
        if (speedMonitor.isTooSlow(partialDownload.length())) {
          throw connectionFailed("less than %d bytes a second".formatted(timeouts.minBytesPerSecond()));
        }
      }
    } catch (IOException e) {
      throw connectionFailed(e.toString());
    }
    if (partialDownload.length() < artifact.size()) {
      throw connectionFailed("ended after %d of %d bytes".formatted(partialDownload.length(), artifact.size()));
    }
  }

  private void requireSize(long size) throws StepFailed {
    if (size >= 0 && size != artifact.size()) {
      throw wrongSize(Long.toString(size));
    }
  }

  private StepFailed wrongSize(String found) {
    return StepFailed.fatal(
        WRONG_SIZE,
        "the artifact is not the one that was signed: expected %d bytes, found %s".formatted(artifact.size(), found));
  }

  private StepFailed statusFailure(HttpURLConnection connection) throws StepFailed {
    int status = status(connection);
    String text = withoutQuery() + " answers " + status;
    if (status / 100 == 3) {
      return StepFailed.fatal("download-refused", text + ": a redirect, which is not followed");
    }
    return status / 100 == 4 && !RETRYABLE_STATUSES.contains(status)
        ? StepFailed.fatal("download-refused", text)
        : StepFailed.retryable("download-failed", text);
  }

  private StepFailed connectionFailed(String why) {
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
