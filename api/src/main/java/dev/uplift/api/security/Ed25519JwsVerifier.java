package dev.uplift.api.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.impl.BaseJWSProvider;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.util.Base64URL;
import java.nio.ByteBuffer;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PublicKey;
import java.security.Signature;
import java.security.SignatureException;
import java.security.spec.X509EncodedKeySpec;
import java.text.ParseException;
import java.util.HexFormat;
import java.util.Set;

/// Verifies JWS signatures with a public Ed25519 key (RFC 8037; named `Ed25519` by RFC 9864), by the provider of this
/// JVM. Nimbus needs Tink for it.
final class Ed25519JwsVerifier extends BaseJWSProvider implements JWSVerifier {
  static final Set<JWSAlgorithm> ALGORITHMS = Set.of(JWSAlgorithm.EdDSA, JWSAlgorithm.Ed25519);

  private static final String NAME = "Ed25519";
  private static final int RAW_BYTES = 32;

  /// Comes before the raw key in the SPKI of each such key (RFC 8410).
  private static final byte[] SPKI = HexFormat.of().parseHex("302a300506032b6570032100");

  private final PublicKey key;

  /// @param key of the curve Ed25519
  /// @throws ParseException where it is no such key
  Ed25519JwsVerifier(OctetKeyPair key) throws ParseException {
    super(ALGORITHMS);
    byte[] raw = key.getDecodedX();
    if (raw.length != RAW_BYTES) {
      throw new ParseException("expected x of %d bytes, found %d".formatted(RAW_BYTES, raw.length), 0);
    }
    try {
      byte[] spki = ByteBuffer.allocate(SPKI.length + RAW_BYTES).put(SPKI).put(raw).array();
      this.key = KeyFactory.getInstance(NAME).generatePublic(new X509EncodedKeySpec(spki));
      // Checks that it is a point of the curve.
      Signature.getInstance(NAME).initVerify(this.key);
    } catch (GeneralSecurityException e) {
      throw new ParseException(String.valueOf(e.getMessage()), 0);
    }
  }

  /// Returns whether the signature is one of this key. Never for a header with critical parameters: none is understood
  /// here.
  @Override
  public boolean verify(JWSHeader header, byte[] signingInput, Base64URL signature) throws JOSEException {
    if (!ALGORITHMS.contains(header.getAlgorithm())) {
      throw new JOSEException("an Ed25519 key is not for " + header.getAlgorithm());
    }
    if (header.getCriticalParams() != null) {
      return false;
    }
    try {
      Signature check = Signature.getInstance(NAME);
      check.initVerify(key);
      check.update(signingInput);
      return check.verify(signature.decode());
    } catch (SignatureException _) {
      // Not the form of a signature, so not a signature.
      return false;
    } catch (GeneralSecurityException e) {
      throw new JOSEException("the key cannot be used", e);
    }
  }
}
