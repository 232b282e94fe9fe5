package dev.uplift.api.security;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.factories.DefaultJWSVerifierFactory;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKMatcher;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.KeyConverter;
import com.nimbusds.jose.jwk.KeyOperation;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jwt.SignedJWT;
import java.security.Key;
import java.security.PublicKey;
import java.text.ParseException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// The public keys of an issuer, and the algorithms that are accepted with them. No other algorithms than those with
/// public keys: `none`, and a public key used as a secret, are always refused.
final class IssuerKeySet {
  /// RS, PS and ES with 256, 384 and 512 bits, and EdDSA; of each key the one that the issuer gave it, if it says so.
  private static final Set<JWSAlgorithm> ALGORITHMS =
      Stream.concat(
              Stream.of(
                  JWSAlgorithm.RS256,
                  JWSAlgorithm.RS384,
                  JWSAlgorithm.RS512,
                  JWSAlgorithm.PS256,
                  JWSAlgorithm.PS384,
                  JWSAlgorithm.PS512,
                  JWSAlgorithm.ES256,
                  JWSAlgorithm.ES384,
                  JWSAlgorithm.ES512),
              Ed25519JwsVerifier.ALGORITHMS.stream())
          .collect(Collectors.toUnmodifiableSet());

  /// RFC 7518, sections 3.3 and 3.5.
  private static final int MIN_RSA_BITS = 2048;

  private final JWKSet keys;
  private final List<Integer> unusable;

  private IssuerKeySet(List<JWK> keys, List<Integer> unusable) {
    this.keys = new JWKSet(keys);
    this.unusable = List.copyOf(unusable);
  }

  /// Reads a JWKS. A key that cannot be read, or is too short, is left out, as RFC 7517 says, so that a new kind of key
  /// does not take the others along.
  ///
  /// @throws ParseException where it has no list of keys
  static IssuerKeySet parse(String jwks) throws ParseException {
    JsonNode list = JsonMapper.shared().readTree(jwks).path("keys");
    if (!list.isArray()) {
      throw new ParseException("expected a list of keys", 0);
    }
    List<JWK> keys = new ArrayList<>();
    List<Integer> unusable = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      try {
        JWK key = JWK.parse(list.get(i).toString());
        requireUsable(key);
        keys.add(key);
      } catch (ParseException | RuntimeException _) {
        // Of either kind, depending on what is wrong with it.
        unusable.add(i + 1);
      }
    }
    return new IssuerKeySet(keys, unusable);
  }

  private static void requireUsable(JWK key) throws ParseException {
    if (key instanceof OctetKeyPair pair && isEd25519(pair)) {
      var _ = new Ed25519JwsVerifier(pair);
    }
    if (key instanceof RSAKey && key.size() < MIN_RSA_BITS) {
      throw new ParseException("expected %d bits at least, found %d".formatted(MIN_RSA_BITS, key.size()), 0);
    }
  }

  /// Returns the positions, from 1, of keys that cannot be used.
  List<Integer> unusable() {
    return unusable;
  }

  static void requireAlgorithm(JWSHeader header) throws InvalidToken {
    if (!ALGORITHMS.contains(header.getAlgorithm())) {
      throw new InvalidToken(
          "the token's algorithm is not one that is accepted: RS, PS or ES with 256 to 512 bits, or EdDSA with Ed25519");
    }
  }

  /// Returns whether a key is the one that the header names, and meant for its algorithm.
  boolean hasKeyFor(JWSHeader header) {
    return !matching(header).isEmpty();
  }

  private List<JWK> matching(JWSHeader header) {
    return new JWKSelector(JWKMatcher.forJWSHeader(header))
        .select(keys).stream().filter(IssuerKeySet::verifies).toList();
  }

  private static boolean verifies(JWK key) {
    return key.getKeyOperations() == null || key.getKeyOperations().contains(KeyOperation.VERIFY);
  }

  /// Returns whether the token, of an accepted algorithm, is signed with one of the keys.
  ///
  /// @throws InvalidToken where none of the keys for it can be used
  boolean verify(SignedJWT jwt) throws InvalidToken {
    requireAlgorithm(jwt.getHeader());
    JOSEException failure = null;
    for (JWK key : matching(jwt.getHeader())) {
      try {
        JWSVerifier verifier = verifier(jwt.getHeader(), key);
        if (verifier != null && jwt.verify(verifier)) {
          return true;
        }
      } catch (JOSEException e) {
        failure = e;
      }
    }
    if (failure != null) {
      throw new InvalidToken("the token's signature cannot be checked: " + failure.getMessage(), failure);
    }
    return false;
  }

  private static @Nullable JWSVerifier verifier(JWSHeader header, JWK key) throws JOSEException {
    if (key instanceof OctetKeyPair pair) {
      return verifier(pair);
    }
    for (Key each : KeyConverter.toJavaKeys(List.of(key))) {
      if (each instanceof PublicKey) {
        return new DefaultJWSVerifierFactory().createJWSVerifier(header, each);
      }
    }
    return null;
  }

  private static JWSVerifier verifier(OctetKeyPair key) throws JOSEException {
    if (!isEd25519(key)) {
      throw new JOSEException("EdDSA is accepted with Ed25519 only, and its key is one of " + key.getCurve());
    }
    try {
      return new Ed25519JwsVerifier(key);
    } catch (ParseException e) {
      throw new IllegalStateException("keys that cannot be used were left out", e);
    }
  }

  private static boolean isEd25519(OctetKeyPair key) {
    return key.getCurve().equals(Curve.Ed25519);
  }
}
