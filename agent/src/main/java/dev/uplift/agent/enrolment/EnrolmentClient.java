package dev.uplift.agent.enrolment;

import dev.uplift.agent.transport.ServerUnavailable;
import dev.uplift.protocol.enrolment.EnrolmentResponse;
import dev.uplift.protocol.enrolment.JoinRequest;
import dev.uplift.protocol.enrolment.RenewRequest;
import dev.uplift.protocol.json.JsonObject;
import dev.uplift.protocol.json.MalformedMessage;
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
/// @param socketFactory for HTTPS; the usual ones where empty
public record EnrolmentClient(String url, Optional<SSLSocketFactory> socketFactory) {
  private static final int CONNECT_TIMEOUT_MS = 15_000;
  private static final int READ_TIMEOUT_MS = 60_000;
  private static final int MAX_BYTES = 256 * 1024;

  public EnrolmentResponse join(JoinRequest request) throws ServerRejected, ServerUnavailable {
    return post("/v1/join", request.write());
  }

  /// Signs the request for a challenge of the server; for none at first, and the server then says one.
  interface RenewRequestFactory {
    RenewRequest create(String challenge);
  }

  EnrolmentResponse renew(RenewRequestFactory requests) throws ServerRejected, ServerUnavailable {
    try {
      return post("/v1/renew", requests.create("").write());
    } catch (ServerRejected e) {
      if (e.challenge().isEmpty()) {
        throw e;
      }
      return post("/v1/renew", requests.create(e.challenge()).write());
    }
  }

  private EnrolmentResponse post(String path, byte[] body) throws ServerRejected, ServerUnavailable {
    try {
      HttpURLConnection connection = open(path);
      try {
        connection.setDoOutput(true);
        connection.setFixedLengthStreamingMode(body.length);
        try (OutputStream out = connection.getOutputStream()) {
          out.write(body);
        }
        return readAdmission(connection);
      } finally {
        connection.disconnect();
      }
    } catch (IOException e) {
      throw new ServerUnavailable(url + " cannot be reached: " + e.getMessage(), e);
    } catch (MalformedMessage e) {
      throw new ServerUnavailable(url + " does not answer as an Uplift server: " + e.getMessage(), e);
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    try {
      var address = new URI(url.replaceFirst("/+$", "") + path).toURL();
      HttpURLConnection connection = (HttpURLConnection) address.openConnection();
      if (connection instanceof HttpsURLConnection secure) {
        socketFactory.ifPresent(secure::setSSLSocketFactory);
      }
      connection.setConnectTimeout(CONNECT_TIMEOUT_MS);
      connection.setReadTimeout(READ_TIMEOUT_MS);
      connection.setInstanceFollowRedirects(false);
      connection.setRequestMethod("POST");
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setRequestProperty("User-Agent", "uplift-agent");
      return connection;
    } catch (URISyntaxException | IllegalArgumentException e) {
      throw new IOException("not an address", e);
    }
  }

  private static EnrolmentResponse readAdmission(HttpURLConnection connection) throws IOException, ServerRejected {
    int status = connection.getResponseCode();
    if (status == HttpURLConnection.HTTP_OK) {
      try (InputStream in = connection.getInputStream()) {
        return EnrolmentResponse.read(in.readNBytes(MAX_BYTES));
      }
    }
    byte[] body = new byte[0];
    try (InputStream in = connection.getErrorStream()) {
      body = in == null ? body : in.readNBytes(MAX_BYTES);
    }
    if (status / 100 != 4 || status == HttpURLConnection.HTTP_NOT_FOUND || status == 429) {
      throw new IOException("it answers " + status + " " + text(body, "detail"));
    }
    String code = text(body, "code");
    String challenge =
        code.equals(RenewRequest.CHALLENGE_REQUIRED) ? connection.getHeaderField(RenewRequest.CHALLENGE_HEADER) : null;
    throw new ServerRejected(code, text(body, "detail"), challenge == null ? "" : challenge);
  }

  private static String text(byte[] problem, String field) {
    try {
      return JsonObject.parse(problem).stringOr(field, "");
    } catch (MalformedMessage _) {
      return "";
    }
  }
}
