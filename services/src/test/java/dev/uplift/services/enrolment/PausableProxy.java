package dev.uplift.services.enrolment;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A TCP proxy that can hold back the data of clients.
final class PausableProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket serverSocket;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private boolean paused;
  private final StringBuilder kept = new StringBuilder();

  PausableProxy(URI server) throws IOException {
    this.target = server.getPort();
    this.serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::acceptConnections);
  }

  String url() {
    return "nats://127.0.0.1:" + serverSocket.getLocalPort();
  }

  synchronized void pause() {
    paused = true;
  }

  synchronized boolean paused(String word) {
    return kept.indexOf(word) >= 0;
  }

  synchronized void resume() {
    paused = false;
    notifyAll();
  }

  private void acceptConnections() {
    try {
      while (true) {
        connect(serverSocket.accept());
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  /// Ends the connection of the client if its server is not there.
  private void connect(Socket client) throws IOException {
    open.add(client);
    try {
      Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
      open.add(server);
      Thread.ofVirtual().start(() -> pass(client, server, true));
      Thread.ofVirtual().start(() -> pass(server, client, false));
    } catch (IOException _) {
      client.close();
    }
  }

  private void pass(Socket from, Socket to, boolean isKept) {
    try (from;
        to) {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      byte[] some = new byte[64 * 1024];
      for (int count = in.read(some); count >= 0; count = in.read(some)) {
        if (isKept) {
          await(new String(some, 0, count, ISO_8859_1));
        }
        out.write(some, 0, count);
      }
    } catch (IOException _) {
      // One of them has disconnected.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void await(String said) throws InterruptedException {
    if (paused) {
      kept.append(said);
    }
    while (paused) {
      wait();
    }
  }

  @Override
  public void close() throws IOException {
    resume();
    serverSocket.close();
    for (Socket each : open) {
      each.close();
    }
  }
}
