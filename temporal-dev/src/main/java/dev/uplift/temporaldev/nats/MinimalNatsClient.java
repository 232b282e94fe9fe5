package dev.uplift.temporaldev.nats;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.uplift.protocol.nats.Credentials;
import dev.uplift.temporaldev.file.JsonFormatter;
import java.io.BufferedReader;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.util.ArrayDeque;
import java.util.Base64;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLSocketFactory;

/// As much of the NATS protocol as it takes to see that a login works and that a message came.
public final class MinimalNatsClient implements Closeable {
  private static final int TIMEOUT_MS = 2000;
  private static final Pattern NONCE = Pattern.compile("\"nonce\":\"([^\"]+)\"");

  private Socket socket;
  private BufferedReader in;

  /// What came before the server had said that it knows of the wish for it.
  private final Deque<Message> earlyMessages = new ArrayDeque<>();

  private MinimalNatsClient(Socket socket) throws IOException {
    this.socket = socket;
    this.in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
  }

  /// Throws when nobody listens, or the credentials are refused.
  public static MinimalNatsClient login(
      int port, Credentials credentials, Optional<SSLSocketFactory> sockets) throws IOException {
    var socket = new Socket();
    try {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), TIMEOUT_MS);
      socket.setSoTimeout(TIMEOUT_MS);
      var client = new MinimalNatsClient(socket);
      client.login(credentials, sockets);
      return client;
    } catch (IOException e) {
      socket.close();
      throw e;
    }
  }

  private void login(Credentials credentials, Optional<SSLSocketFactory> sockets)
      throws IOException {
    Matcher nonce = NONCE.matcher(readExpected("INFO "));
    if (sockets.isPresent()) {
      // The server says who it is in clear; all that follows is not.
      String host = socket.getInetAddress().getHostAddress();
      socket = sockets.get().createSocket(socket, host, socket.getPort(), true);
      in = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
    }
    if (!nonce.find()) {
      throw new IOException("expected a nonce to sign, found none");
    }
    byte[] signature = credentials.key().sign(nonce.group(1).getBytes(US_ASCII));
    Map<String, Object> who =
        Map.of(
            "verbose",
            false,
            "jwt",
            credentials.jwt(),
            "sig",
            Base64.getUrlEncoder().withoutPadding().encodeToString(signature),
            "name",
            "uplift-stack");
    send("CONNECT " + JsonFormatter.compact(who));
    flush();
  }

  private String readExpected(String word) throws IOException {
    String line = in.readLine();
    if (line == null || !line.startsWith(word)) {
      throw new IOException("expected " + word + ", found " + line);
    }
    return line;
  }

  /// Returns when the server has taken all that was sent.
  private void flush() throws IOException {
    send("PING");
    for (String line = in.readLine(); !"PONG".equals(line); line = in.readLine()) {
      if (line != null && line.startsWith("MSG ")) {
        earlyMessages.add(readMessage(line));
      } else if (line != null && line.startsWith("-ERR")) {
        throw new LoginRefused(line);
      } else if (line == null || !(line.isEmpty() || line.equals("PING"))) {
        throw new IOException("expected PONG, found " + line);
      }
    }
  }

  /// The server says no.
  public static final class LoginRefused extends IOException {
    private static final long serialVersionUID = 1;

    private LoginRefused(String line) {
      super("expected PONG, found " + line);
    }
  }

  private void send(String line) throws IOException {
    socket.getOutputStream().write((line + "\r\n").getBytes(US_ASCII));
    socket.getOutputStream().flush();
  }

  /// To the next message on the subject.
  public void subscribeToNext(String subject) throws IOException {
    send("SUB " + subject + " 1");
    send("UNSUB 1 1");
    flush();
  }

  /// Whether a message has come; waits for one at most so long.
  public boolean hasMessage(int withinMs) throws IOException {
    if (!earlyMessages.isEmpty()) {
      return true;
    }
    socket.setSoTimeout(withinMs);
    try {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("MSG ")) {
          return true;
        }
        if (line.equals("PING")) {
          send("PONG");
        }
      }
    } catch (SocketTimeoutException _) {
      return false;
    }
    throw new IOException("NATS has closed the connection");
  }

  /// All messages on the subject, from now on.
  void subscribeAll(String subject) throws IOException {
    send("SUB " + subject + " 1");
    flush();
    socket.setSoTimeout(0);
  }

  /// The next message; waits for it.
  Message next() throws IOException {
    if (!earlyMessages.isEmpty()) {
      return earlyMessages.remove();
    }
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      if (line.startsWith("MSG ")) {
        return readMessage(line);
      }
      if (line.equals("PING")) {
        send("PONG");
      }
    }
    throw new EOFException("NATS has closed the connection");
  }

  private Message readMessage(String line) throws IOException {
    String[] words = line.split(" ", -1);
    return new Message(words[1], readBody(Integer.parseInt(words[words.length - 1])));
  }

  private String readBody(int size) throws IOException {
    char[] body = new char[size];
    for (int at = 0; at < size; ) {
      int read = in.read(body, at, size - at);
      if (read < 0) {
        throw new EOFException("NATS has closed the connection");
      }
      at += read;
    }
    return new String(body);
  }

  record Message(String subject, String body) {}

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
