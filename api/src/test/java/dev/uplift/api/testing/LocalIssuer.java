package dev.uplift.api.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import com.sun.net.httpserver.HttpServer;
import dev.uplift.protocol.signature.SigningKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/// An OpenID Connect issuer of this JVM, with an elliptic curve and an Ed25519 key.
public final class LocalIssuer implements AutoCloseable {
  private final HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
  private final String issuer = "http://127.0.0.1:" + http.getAddress().getPort();
  private final ECKey key = new ECKeyGenerator(Curve.P_256).keyID("one").generate();
  private final SigningKey ed25519 = SigningKey.generate();

  public LocalIssuer() throws IOException, JOSEException {
    serve(
        "/.well-known/openid-configuration", "{\"issuer\":\"%s\",\"jwks_uri\":\"%s/keys\"}".formatted(issuer, issuer));
    serve("/keys", new JWKSet(List.of(key, ed25519Jwk())).toPublicJWKSet().toString());
    http.start();
  }

  private OctetKeyPair ed25519Jwk() {
    return new OctetKeyPair.Builder(Curve.Ed25519, Base64URL.encode(ed25519.rawPublicKey())).keyID("two").build();
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
  public String entry(String audience, String role) {
    return """
    [{"name": "corp", "issuer": "%s", "audience": "%s", "name_claim": "sub", "tenant": "acme", "roles_claim": "roles",
      "roles": {"fleet": "%s"}}]
    """
        .formatted(issuer, audience, role);
  }

  /// Returns a client with a token for an audience.
  public TestClient client(TestServer server, String audience) throws JOSEException {
    return client(server, audience, claims -> claims);
  }

  /// Returns a client with a token for an audience.
  ///
  /// @param change of the claims, which are valid for ten minutes from now on
  public TestClient client(TestServer server, String audience, UnaryOperator<JWTClaimsSet.Builder> change)
      throws JOSEException {
    var header = new JWSHeader.Builder(JWSAlgorithm.ES256).keyID("one").type(JOSEObjectType.JWT).build();
    var token = new SignedJWT(header, change.apply(new JWTClaimsSet.Builder(claims(audience))).build());
    token.sign(new ECDSASigner(key));
    return client(server, token);
  }

  private JWTClaimsSet claims(String audience) {
    Instant now = Instant.now();
    return new JWTClaimsSet.Builder()
        .issuer(issuer)
        .subject("ann")
        .audience(audience)
        .issueTime(Date.from(now))
        .expirationTime(Date.from(now.plusSeconds(600)))
        .claim("roles", List.of("fleet"))
        .build();
  }

  /// Returns a client with a token that the Ed25519 key has signed.
  ///
  /// @param algorithm as its header says
  public TestClient ed25519Client(TestServer server, String audience, JWSAlgorithm algorithm) {
    var header = new JWSHeader.Builder(algorithm).keyID("two").type(JOSEObjectType.JWT).build();
    return client(server, TestTokens.signed(ed25519, header, claims(audience)));
  }

  private static TestClient client(TestServer server, SignedJWT token) {
    return new TestClient(server, Map.of("Authorization", "Bearer " + token.serialize()));
  }

  @Override
  public void close() {
    http.stop(0);
  }
}
