package dev.uplift.protocol.signature;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Public keys, so many of which have to sign for it to count. Signatures of other keys beside theirs do no harm.
public final class TrustedKeys {
  /// More lines are not looked at.
  private static final int MAX_SIGNATURES = 32;

  private final int threshold;
  private final Map<String, TrustedKey> keys = new TreeMap<>();

  private TrustedKeys(int threshold) {
    this.threshold = threshold;
  }

  /// Of these, so many different ones have to sign, at least 1.
  public static TrustedKeys of(int threshold, Collection<TrustedKey> keys) {
    TrustedKeys trusted = new TrustedKeys(threshold);
    keys.forEach(key -> trusted.keys.put(key.id(), key));
    return trusted;
  }

  public int threshold() {
    return threshold;
  }

  public Set<String> keyIds() {
    return Set.copyOf(keys.keySet());
  }

  /// Returns whether `lines`, each `<key id>.<base64url>`, have signatures of enough of these keys over exactly these
  /// bytes for this purpose. False for any malformed text.
  public boolean verify(SignatureDomain signatureDomain, byte[] bytes, String lines) {
    return signers(signatureDomain, bytes, lines).size() >= threshold;
  }

  /// The ids of those keys whose good signatures are in `lines`.
  public Set<String> signers(SignatureDomain signatureDomain, byte[] bytes, String lines) {
    Set<String> signers = new TreeSet<>();
    lines
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .limit(MAX_SIGNATURES)
        .forEach(line -> {
          int dot = line.indexOf('.');
          TrustedKey key = dot < 0 ? null : keys.get(line.substring(0, dot));
          if (key != null
              && !signers.contains(key.id())
              && key.verify(signatureDomain, bytes, line.substring(dot + 1))) {
            signers.add(key.id());
          }
        });
    return signers;
  }
}
