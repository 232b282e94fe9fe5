package dev.uplift.cli.login;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.cli.rest.CliException;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.URLDecoder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/// A login with a browser on this machine: an authorization code with PKCE, which the browser brings to a port that is
/// open on this machine meanwhile (RFC 8252).
public final class BrowserLogin {
  private static final Duration MAX_WAIT = Duration.ofMinutes(5);
  private static final Duration READ_TIMEOUT = Duration.ofSeconds(5);
  private static final int MAX_LINE = 16_384;

  private final IssuerClient issuer;
  private final String state = IssuerClient.randomText();
  private final String verifier = IssuerClient.randomText();

  public BrowserLogin(IssuerClient issuer) {
    this.issuer = issuer;
  }

  /// Returns when a person has logged in.
  ///
  /// @param show is given what the person has to do
  public LoginTokens logIn(String scope, Consumer<String> show) {
    try (ServerSocket port = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      URI redirect = URI.create("http://127.0.0.1:" + port.getLocalPort() + "/");
      show.accept(
          "To log in, open this in a browser on this machine:%n%s"
              .formatted(issuer.authorizationAddress(scope, state, verifier, redirect)));
      return issuer.redeem(awaitCode(port), verifier, redirect);
    } catch (IOException e) {
      throw new CliException(CliException.FAILED, "no port can be opened on this machine (" + e + ")", e);
    }
  }

  private String awaitCode(ServerSocket port) throws IOException {
    Instant end = Instant.now().plus(MAX_WAIT);
    while (true) {
      long left = Duration.between(Instant.now(), end).toMillis();
      if (left <= 0) {
        throw new CliException(CliException.FAILED, "no one has logged in in time");
      }
      port.setSoTimeout((int) left);
      try (Socket browser = port.accept()) {
        Optional<String> code = answerIfComplete(browser);
        if (code.isPresent()) {
          return code.get();
        }
      } catch (SocketTimeoutException _) {
        // The end is checked above.
      }
    }
  }

  private Optional<String> answerIfComplete(Socket browser) {
    try {
      return answer(browser);
    } catch (IOException _) {
      // Browsers open connections in advance, and hang up. The login comes on another one.
      return Optional.empty();
    }
  }

  /// Returns the code if this is the request that brings it. Any page in the browser can send others.
  private Optional<String> answer(Socket browser) throws IOException {
    browser.setSoTimeout((int) READ_TIMEOUT.toMillis());
    Map<String, String> query = query(readLine(browser.getInputStream()));
    if (!state.equals(query.get("state"))) {
      respond(browser, "404 Not Found", "This is no answer to a login.");
      return Optional.empty();
    }
    String named = query.getOrDefault("iss", issuer.issuer().toString());
    String code = query.getOrDefault("code", "");
    if (code.isEmpty() || !named.equals(issuer.issuer().toString())) {
      respond(browser, "200 OK", "You are not logged in. The program says why; you can close this page.");
      String error = query.getOrDefault("error_description", query.getOrDefault("error", "another issuer answered"));
      throw new CliException(CliException.FAILED, "the login was not confirmed (" + error + ")");
    }
    respond(browser, "200 OK", "You are logged in, and can close this page.");
    return Optional.of(code);
  }

  private static String readLine(InputStream in) throws IOException {
    var line = new StringBuilder();
    for (int next = in.read(); next >= 0 && next != '\n' && line.length() < MAX_LINE; next = in.read()) {
      line.append((char) next);
    }
    return line.toString();
  }

  /// Returns the parameters of a request line; empty if it is none of this kind.
  private static Map<String, String> query(String line) {
    Map<String, String> parameters = new HashMap<>();
    String[] words = line.strip().split(" ", -1);
    if (words.length != 3 || !words[0].equals("GET") || !words[1].startsWith("/?")) {
      return parameters;
    }
    for (String parameter : words[1].substring(2).split("&", -1)) {
      int equals = parameter.indexOf('=');
      if (equals > 0) {
        parameters.put(parameter.substring(0, equals), decode(parameter.substring(equals + 1)));
      }
    }
    return parameters;
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text, UTF_8);
    } catch (IllegalArgumentException _) {
      return "";
    }
  }

  private static void respond(Socket browser, String status, String text) throws IOException {
    String response =
        "HTTP/1.1 %s\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: %d\r\nConnection: close\r\n\r\n%s"
            .formatted(status, text.length(), text);
    browser.getOutputStream().write(response.getBytes(US_ASCII));
    browser.getOutputStream().flush();
    // Unread headers at the end would have the response reset.
    browser.shutdownOutput();
    browser.getInputStream().skipNBytes(browser.getInputStream().available());
  }
}
