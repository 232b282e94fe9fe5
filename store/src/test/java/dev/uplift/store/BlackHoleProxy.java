package dev.uplift.store;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A TCP proxy that can swallow everything in both directions, also the end of a connection: the other side has
/// vanished with its machine.
final class BlackHoleProxy implements AutoCloseable {
  private final int target;
  private final ServerSocket serverSocket;
  private final List<Socket> open = new CopyOnWriteArrayList<>();
  private volatile boolean swallows;

  BlackHoleProxy(int target) throws IOException {
    this.target = target;
    this.serverSocket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::acceptConnections);
  }

  int port() {
    return serverSocket.getLocalPort();
  }

  /// From now on nothing passes.
  void swallow() {
    swallows = true;
  }

  private void acceptConnections() {
    try {
      while (true) {
        Socket client = serverSocket.accept();
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
        open.add(client);
        open.add(server);
        Thread.ofVirtual().start(() -> pass(client, server));
        Thread.ofVirtual().start(() -> pass(server, client));
      }
    } catch (IOException _) {
      // Closed.
    }
  }

  private void pass(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      byte[] some = new byte[64 * 1024];
      for (int count = in.read(some); count >= 0; count = in.read(some)) {
        if (!swallows) {
          to.getOutputStream().write(some, 0, count);
        }
      }
      if (!swallows) {
        to.close();
      }
    } catch (IOException _) {
      // One of them has disconnected.
    }
  }

  /// Both sides notice that the connections have ended.
  void disconnect() throws IOException {
    for (Socket each : open) {
      each.close();
    }
  }

  @Override
  public void close() throws IOException {
    serverSocket.close();
    disconnect();
  }
}
