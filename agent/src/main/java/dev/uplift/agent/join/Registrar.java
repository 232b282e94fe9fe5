package dev.uplift.agent.join;

import dev.uplift.agent.link.Away;
import dev.uplift.protocol.Fields;
import dev.uplift.protocol.MalformedMessage;
import dev.uplift.protocol.enrolment.Admission;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.RenewRequest;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLSocketFactory;

/// The server, as far as it lets hosts in.
///
/// @param url of the server
/// @param sockets for HTTPS; the usual ones where empty
public record Registrar(String url, Optional<SSLSocketFactory> sockets) {
  private static final int CONNECT_MS = 15_000;
  private static final int ANSWER_MS = 60_000;
  private static final int MOST_BYTES = 256 * 1024;

  public Admission join(JoinRequest request) throws Refused, Away {
    return ask("/v1/join", request.write());
  }

  public Admission renew(RenewRequest request) throws Refused, Away {
    return ask("/v1/renew", request.write());
  }

  private Admission ask(String path, byte[] body) throws Refused, Away {
    try {
      HttpURLConnection connection = open(path);
      try {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
        return answer(connection);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new Away(url + " cannot be reached: " + e.getMessage(), e);
    } catch (MalformedMessage e) {
      throw new Away(url + " does not answer as a server of ours: " + e.getMessage(), e);
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    try {
      var address = new URI(url.replaceFirst("/+$", "") + path).toURL();
      HttpURLConnection connection = (HttpURLConnection) address.openConnection();
      if (connection instanceof HttpsURLConnection secure) {
        sockets.ifPresent(secure::setSSLSocketFactory);
      }
      connection.setConnectTimeout(CONNECT_MS);
      connection.setReadTimeout(ANSWER_MS);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty("User-Agent", "uplift-agent");
      return connection;
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IOException("not an address", e);
    }
  }

  private static Admission answer(HttpURLConnection connection) throws IOException, Refused {
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_OK) {
      try (InputStream in = connection.getInputStream()) {
        return Admission.read(in.readNBytes(MOST_BYTES));
      }
    }
    byte[] body = new byte[0];
    try (InputStream in = connection.getErrorStream()) {
      body = in == null ? body : in.readNBytes(MOST_BYTES);
    }
    if (status / 100 != 4 || status == HttpURLConnection.HTTP_NOT_FOUND || status == 429) {
      throw new IOException("it answers " + status + " " + text(body, "detail"));
    }
    throw new Refused(text(body, "title"), text(body, "detail"));
  }

  private static String text(byte[] problem, String field) {
    try {
      return Fields.of(problem).textOr(field, "");
    } catch (MalformedMessage _) {
      return "";
    }
  }
}
