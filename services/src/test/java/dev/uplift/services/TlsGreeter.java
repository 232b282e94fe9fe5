package dev.uplift.services;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/// A server that says something, then begins with TLS, and does nothing more.
public final class TlsGreeter implements AutoCloseable {
  private final ServerSocket server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final SSLContext context;
  private final String greeting;

  /// Starts at once, at a free port.
  ///
  /// @param greeting before the handshake; may be empty
  public TlsGreeter(SSLContext context, String greeting) throws IOException {
    this.context = context;
    this.greeting = greeting;
    server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    threads.execute(this::accept);
  }

  public int port() {
    return server.getLocalPort();
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        Socket client = server.accept();
        threads.execute(() -> greet(client));
      } catch (IOException _) {
        // Closed.
      }
    }
  }

  private void greet(Socket client) {
    try (client) {
      client.getOutputStream().write(greeting.getBytes(UTF_8));
      SSLSocket encrypted = (SSLSocket) context.getSocketFactory().createSocket(client, null, false);
      encrypted.setUseClientMode(false);
      encrypted.startHandshake();
    } catch (IOException _) {
      // The client wanted to see the certificate only.
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    threads.shutdownNow();
  }
}
