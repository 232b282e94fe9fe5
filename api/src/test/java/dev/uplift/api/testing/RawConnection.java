package dev.uplift.api.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;

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

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
