package dev.uplift.temporaldev.process;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A TCP relay to a port of this machine that can be cut as a network can: while it is cut nothing passes in either
/// direction, connections stay open, and neither side is told, also not of the end of the other one. What was sent
/// meanwhile arrives after it is restored, as far as it fits into the buffers of the system. Thread-safe.
///
/// Its threads are those of the system: virtual ones would pass nothing on while others hold all carriers, of which a
/// small machine has two.
public final class NetworkLink implements AutoCloseable {
  private static final int BACKLOG = 50;
  private static final int BUFFER_BYTES = 64 * 1024;

  private final int target;
  private final ServerSocket serverSocket;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();
  private boolean isCut;

  /// Listens on a free port of the loopback address at once.
  public NetworkLink(int target) {
    this.target = target;
    try {
      serverSocket = new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Thread.ofPlatform().daemon().name("link to " + target).start(this::acceptConnections);
  }

  /// Returns the port to connect to instead of the target.
  public int port() {
    return serverSocket.getLocalPort();
  }

  /// Nothing that is sent from now on arrives before [#restore]. Safe to repeat.
  public synchronized void cut() {
    isCut = true;
  }

  /// Safe to repeat.
  public synchronized void restore() {
    isCut = false;
    notifyAll();
  }

  private synchronized void awaitRestored() throws InterruptedException {
    while (isCut) {
      wait();
    }
  }

  private void acceptConnections() {
    try {
      while (true) {
        Socket client = serverSocket.accept();
        open.add(client);
        Thread.ofPlatform().daemon().start(() -> connect(client));
      }
    } catch (IOException e) {
      if (!serverSocket.isClosed()) {
        throw new UncheckedIOException("the link to port %d accepts no more connections".formatted(target), e);
      }
    }
  }

  private void connect(Socket client) {
    try (client;
        Socket server = connectToTarget()) {
      Thread answers = Thread.ofPlatform().daemon().start(() -> pass(server, client));
      pass(client, server);
      answers.join();
    } catch (IOException _) {
      // The target refuses connections, and so does the link.
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(client);
    }
  }

  private Socket connectToTarget() throws IOException, InterruptedException {
    awaitRestored();
    Socket server = new Socket(InetAddress.getLoopbackAddress(), target);
    open.add(server);
    return server;
  }

  /// Ends when `from` does, and says so to `to`; at an error both end.
  private void pass(Socket from, Socket to) {
    byte[] bytes = new byte[BUFFER_BYTES];
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      for (int count = in.read(bytes); count >= 0; count = in.read(bytes)) {
        awaitRestored();
        out.write(bytes, 0, count);
      }
      awaitRestored();
      to.shutdownOutput();
    } catch (IOException _) {
      closeBoth(from, to);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    } finally {
      open.remove(from);
    }
  }

  /// A connection that was reset on one side is reset on the other, once the link is there.
  private void closeBoth(Socket from, Socket to) {
    try {
      awaitRestored();
      from.close();
      to.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Ends all connections.
  @Override
  public void close() {
    restore();
    try {
      serverSocket.close();
      for (Socket each : open) {
        each.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
