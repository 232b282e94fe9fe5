package dev.uplift.api.settings;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;

/// An OpenID Connect issuer of this JVM, with one key.
final class LocalIssuer implements AutoCloseable {
  private final HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final String issuer = "http://127.0.0.1:" + http.getAddress().getPort();
  private final ECKey key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();

  LocalIssuer() throws IOException, JOSEException {
    serve(
        "/.well-known/openid-configuration", "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(issuer, issuer));
    serve("/keys", new JWKSet(key).toPublicJWKSet().toString());
    http.start();
  }

  private void serve(String path, String text) {
    http.createContext(
        path,
        exchange -> {
          byte[] bytes = text.getBytes(UTF_8);
          exchange.sendResponseHeaders(200, bytes.length);
          exchange.getResponseBody().write(bytes);
          exchange.close();
        });
  }

  /// Returns a list of issuers with this one.
  ///
  /// @param role of callers with the role `fleet`
  String entry(String audience, String role) {
    return """
    [{"name": "corp", "issuer": "%s", "audience": "%s", "name_claim": "sub", "tenant": "acme", "roles_claim": "roles",
      "roles": {"fleet": "%s"}}]
    """
        .formatted(issuer, audience, role);
  }

  /// Returns a client with a token for an audience.
  TestClient client(TestServer server, String audience) throws JOSEException {
    Instant now = Instant.now();
    var claims =
        new JWTClaimsSet.Builder()
            .issuer(issuer)
            .subject("ann")
            .audience(audience)
            .issueTime(Date.from(now))
            .expirationTime(Date.from(now.plusSeconds(600)))
            .claim("roles", List.of("fleet"))
            .build();
    var header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("one").type(JOSEObjectType.JWT).build();
    var token = new SignedJWT(header, claims);
    token.sign(new ECDSASigner(key));
    return new TestClient(server, Map.of("Authorization", "Bearer " + token.serialize()));
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
