package dev.uplift.api.security;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.nimbusds.jose.JOSEObjectType;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.crypto.ECDSASigner;
import com.nimbusds.jose.crypto.MACSigner;
import com.nimbusds.jose.crypto.RSASSASigner;
import com.nimbusds.jose.crypto.opts.AllowWeakRSAKey;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.KeyUse;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.jwk.gen.ECKeyGenerator;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.util.Base64URL;
import com.nimbusds.jwt.JWTClaimsSet;
import com.nimbusds.jwt.SignedJWT;
import dev.uplift.api.testing.TestTokens;
import dev.uplift.protocol.signature.SigningKey;
import dev.uplift.services.trust.Ed25519Provider;
import java.security.Security;
import java.text.ParseException;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class IssuerKeySetTest {
  private static final JWTClaimsSet CLAIMS = new JWTClaimsSet.Builder().subject("ann").build();

  private final SigningKey key = SigningKey.generate();

  @AfterEach
  void removeProvider() {
    Security.removeProvider("UpliftEd25519");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void eddsaIsVerifiedWithTheJdkAndWithTheProviderOfTheServer(boolean withProvider) throws Exception {
    if (withProvider) {
      Ed25519Provider.install();
    }
    IssuerKeySet keys = set(jwk(key, "one").build(), jwk(SigningKey.generate(), "two").build());

    for (JWSAlgorithm algorithm : Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519)) {
      SignedJWT token = TestTokens.signed(key, header(algorithm, "one"), CLAIMS);
      assertThat(keys.verify(token)).as(algorithm.getName()).isTrue();
      assertThat(keys.verify(TestTokens.signed(SigningKey.generate(), header(algorithm, "one"), CLAIMS)))
          .as("signed with a key that the issuer does not have")
          .isFalse();
      assertThat(keys.verify(TestTokens.signed(key, header(algorithm, "two"), CLAIMS)))
          .as("signed with another key than the header says")
          .isFalse();
      assertThat(keys.verify(withPayload(token, new JWTClaimsSet.Builder().subject("root").build()))).isFalse();
      for (int length : new int[] {1, 63, 65}) {
        assertThat(keys.verify(withSignature(token, new byte[length]))).as("%d bytes", length).isFalse();
      }
    }
  }

  private static SignedJWT withPayload(SignedJWT token, JWTClaimsSet claims) throws ParseException {
    return new SignedJWT(token.getHeader().toBase64URL(), claims.toPayload().toBase64URL(), token.getParsedParts()[2]);
  }

  private static SignedJWT withSignature(SignedJWT token, byte[] signature) throws ParseException {
    return new SignedJWT(token.getParsedParts()[0], token.getParsedParts()[1], Base64URL.encode(signature));
  }

  /// RFC 8037, appendix A.4.
  @Test
  void theExampleOfTheStandardIsVerified() throws Exception {
    var verifier =
        new Ed25519JwsVerifier(
            OctetKeyPair.parse(
                "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo\"}"));
    var token =
        SignedJWT.parse(
            "eyJhbGciOiJFZERTQSJ9.RXhhbXBsZSBvZiBFZDI1NTE5IHNpZ25pbmc"
                + ".hgyY0il_MGCjP0JzlnLWG1PPOt7-09PGcvMg3AIbQR6dWbhijcNR4ki4iylGjg5BhVsPt9g7sVvpAr_MuM0KAg");

    assertThat(token.verify(verifier)).isTrue();
  }

  @Test
  void noAlgorithmIsUsedWithAKeyOfAnother() throws Exception {
    RSAKey rsa = new RSAKeyGenerator(2048).keyID("rsa").generate();
    IssuerKeySet keys = set(jwk(key, "ed").build(), rsa.toPublicJWK());

    assertThat(keys.hasKeyFor(header(JWSAlgorithm.EdDSA, "rsa"))).isFalse();
    assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "rsa"), CLAIMS))).isFalse();
    var token = new SignedJWT(header(JWSAlgorithm.RS256, "ed"), CLAIMS);
    token.sign(new RSASSASigner(rsa));
    assertThat(keys.verify(token)).isFalse();
  }

  @Test
  void aPublicKeyIsNoSecret() throws Exception {
    IssuerKeySet keys = set(jwk(key, "ed").build());
    var token = new SignedJWT(header(JWSAlgorithm.HS256, "ed"), CLAIMS);
    token.sign(new MACSigner(key.rawPublicKey()));

    assertThatThrownBy(() -> keys.verify(token)).isInstanceOf(InvalidToken.class).hasMessageContaining("algorithm");
  }

  @Test
  void aKeyIsUsedForWhatTheIssuerMeansItForOnly() throws Exception {
    IssuerKeySet keys =
        set(
            jwk(key, "enc").keyUse(KeyUse.ENCRYPTION).build(),
            jwk(key, "ops").keyOperations(Set.of(KeyOperation.DERIVE_KEY)).build(),
            jwk(key, "sig").keyUse(KeyUse.SIGNATURE).keyOperations(Set.of(KeyOperation.VERIFY)).build(),
            jwk(key, "new").algorithm(JWSAlgorithm.Ed25519).build());

    assertThat(keys.hasKeyFor(header(JWSAlgorithm.EdDSA, "enc"))).isFalse();
    assertThat(keys.hasKeyFor(header(JWSAlgorithm.EdDSA, "ops"))).isFalse();
    assertThat(keys.hasKeyFor(header(JWSAlgorithm.EdDSA, "new"))).isFalse();
    assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "sig"), CLAIMS))).isTrue();
    assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.Ed25519, "new"), CLAIMS))).isTrue();
  }

  @Test
  void criticalParametersAreNotUnderstood() throws Exception {
    var header = new JWSHeader.Builder(JWSAlgorithm.EdDSA).keyID("one").criticalParams(Set.of("b64")).build();

    assertThat(set(jwk(key, "one").build()).verify(TestTokens.signed(key, header, CLAIMS))).isFalse();
  }

  @Test
  void ed448IsRefused() throws Exception {
    IssuerKeySet keys = set(okp(Curve.Ed448, new byte[57], "one").build());

    assertThatThrownBy(() -> keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "one"), CLAIMS)))
        .isInstanceOf(InvalidToken.class)
        .hasMessageEndingWith("EdDSA is accepted with Ed25519 only, and its key is one of Ed448");
    assertThatThrownBy(() -> keys.verify(TestTokens.signed(key, header(JWSAlgorithm.Ed448, "one"), CLAIMS)))
        .isInstanceOf(InvalidToken.class)
        .hasMessageContaining("RS, PS or ES with 256 to 512 bits, or EdDSA with Ed25519");
  }

  @Test
  void aKeyOfAnotherCurveVerifiesNothing() throws Exception {
    IssuerKeySet keys = set(okp(Curve.X25519, key.rawPublicKey(), "one").build());

    assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "one"), CLAIMS))).isFalse();
    assertThatThrownBy(() -> keys.verify(TestTokens.signed(key, header(JWSAlgorithm.Ed25519, "one"), CLAIMS)))
        .isInstanceOf(InvalidToken.class)
        .hasMessageEndingWith("EdDSA is accepted with Ed25519 only, and its key is one of X25519");
  }

  @Test
  void aKeyThatTheTokenBringsAlongDoesNotCount() throws Exception {
    SigningKey own = SigningKey.generate();
    var header = new JWSHeader.Builder(JWSAlgorithm.EdDSA).keyID("one").jwk(jwk(own, "one").build()).build();

    assertThat(set(jwk(key, "one").build()).verify(TestTokens.signed(own, header, CLAIMS))).isFalse();
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void aKeyThatIsNoPointOfTheCurveVerifiesNothing(boolean withProvider) throws Exception {
    if (withProvider) {
      Ed25519Provider.install();
    }
    byte[] outside = new byte[32];
    Arrays.fill(outside, (byte) 0xff);
    byte[] between = new byte[32];
    between[0] = 2;
    for (byte[] x : List.of(outside, between)) {
      IssuerKeySet keys = set(okp(Curve.Ed25519, x, "one").build(), jwk(key, "two").build());

      assertThat(keys.unusable()).containsExactly(1);
      assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "one"), CLAIMS))).isFalse();
      assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "two"), CLAIMS))).isTrue();
    }
  }

  @Test
  void aKeyThatCannotBeReadDoesNotTakeTheOthersAlong() throws Exception {
    IssuerKeySet keys =
        IssuerKeySet.parse(
            """
            {"keys": [{"kty": "AKP", "alg": "ML-DSA-44", "pub": "AAAA"}, {"kty": "OKP", "crv": "Ed25519"}, 7, null, %s, %s]}\
            """
                .formatted(okp(Curve.Ed25519, new byte[31], "short").build(), jwk(key, "one").build()));

    assertThat(keys.unusable()).containsExactly(1, 2, 3, 4, 5);
    assertThat(keys.hasKeyFor(header(JWSAlgorithm.EdDSA, "short"))).isFalse();
    assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "one"), CLAIMS))).isTrue();
    assertThatThrownBy(() -> IssuerKeySet.parse("{}")).isInstanceOf(ParseException.class);
  }

  @Test
  void anRsaKeyOfFewerThan2048BitsVerifiesNothing() throws Exception {
    RSAKey shortKey = new RSAKeyGenerator(1024, true).keyID("short").generate();
    IssuerKeySet keys = set(shortKey.toPublicJWK(), jwk(key, "one").build());
    var token = new SignedJWT(header(JWSAlgorithm.RS256, "short"), CLAIMS);
    token.sign(new RSASSASigner(shortKey.toPrivateKey(), Set.of(AllowWeakRSAKey.getInstance())));

    assertThat(keys.unusable()).containsExactly(1);
    assertThat(keys.verify(token)).isFalse();
    assertThat(keys.verify(TestTokens.signed(key, header(JWSAlgorithm.EdDSA, "one"), CLAIMS))).isTrue();
  }

  @Test
  void withoutTheNameOfAKeyEachIsTried() throws Exception {
    ECKey large = new ECKeyGenerator(Curve.P_384).keyID("large").generate();
    ECKey small = new ECKeyGenerator(Curve.P_256).keyID("small").generate();
    IssuerKeySet keys =
        set(
            large.toPublicJWK(),
            small.toPublicJWK(),
            okp(Curve.Ed448, new byte[57], "448").build(),
            jwk(key, "ed").build());
    var token = new SignedJWT(new JWSHeader(JWSAlgorithm.ES256), CLAIMS);
    token.sign(new ECDSASigner(small));

    assertThat(keys.verify(token)).isTrue();
    assertThat(keys.verify(TestTokens.signed(key, new JWSHeader(JWSAlgorithm.EdDSA), CLAIMS))).isTrue();
  }

  private static JWSHeader header(JWSAlgorithm algorithm, String keyId) {
    return new JWSHeader.Builder(algorithm).keyID(keyId).type(JOSEObjectType.JWT).build();
  }

  private static OctetKeyPair.Builder jwk(SigningKey key, String keyId) {
    return okp(Curve.Ed25519, key.rawPublicKey(), keyId);
  }

  private static OctetKeyPair.Builder okp(Curve curve, byte[] x, String keyId) {
    return new OctetKeyPair.Builder(curve, Base64URL.encode(x)).keyID(keyId);
  }

  private static IssuerKeySet set(JWK... keys) throws ParseException {
    return IssuerKeySet.parse(Stream.of(keys).map(Object::toString).collect(joining(",", "{\"keys\":[", "]}")));
  }
}
