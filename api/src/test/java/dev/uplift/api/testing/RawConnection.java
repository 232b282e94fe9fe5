package dev.uplift.api.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;

/// A connection to the server for requests that no HTTP client would send: half ones, or with a header twice.
public final class RawConnection implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  private final Socket socket;

  public RawConnection(TestServer server) throws IOException {
    socket = new Socket(InetAddress.getLoopbackAddress(), server.uri().getPort());
    socket.setSoTimeout((int) PATIENCE.toMillis());
  }

  /// Sends these characters, each as one byte.
  public RawConnection send(String characters) throws IOException {
    socket.getOutputStream().write(characters.getBytes(StandardCharsets.ISO_8859_1));
    socket.getOutputStream().flush();
    return this;
  }

  /// Returns what the server sends until it closes the connection.
  ///
  /// @throws SocketTimeoutException if it does not close it
  public String readToEnd() throws IOException {
    return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
  }

  /// Returns what the server sends until one of these words is part of it, or it closes the connection.
  public String readUntil(String... words) throws IOException {
    var text = new StringBuilder();
    byte[] some = new byte[4096];
    while (Stream.of(words).noneMatch(word -> text.indexOf(word) >= 0)) {
      int count = socket.getInputStream().read(some);
      if (count < 0) {
        break;
      }
      text.append(new String(some, 0, count, StandardCharsets.ISO_8859_1));
    }
    return text.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
