package dev.uplift.agent.driver;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.uplift.protocol.PackageOffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// Reads what the programs of the operator say about updates that the repositories of the host offer: `offered`, a word
/// for each update, and `offered_security`, how many of them are for security.
public final class OfferReader {
  private static final int DIGEST_CHARS = 16;

  private OfferReader() {}

  /// Empty if nothing is said about it. The order of the updates does not count, nor a word that is there twice.
  ///
  /// @param prefix of the names
  public static Optional<PackageOffer> read(Map<String, String> said, String prefix) {
    @Nullable String words = said.get(prefix + "offered");
    return words == null
        ? Optional.empty()
        : Optional.of(offer(words, said.getOrDefault(prefix + "offered_security", "")));
  }

  private static PackageOffer offer(String words, String security) {
    List<String> updates =
        Arrays.stream(words.split("\\s+", -1)).filter(word -> !word.isEmpty()).distinct().sorted().toList();
    int count = Math.min(updates.size(), PackageOffer.MAX_UPDATES);
    int forSecurity = Math.min(count(security.strip()), count);
    return count == 0
        ? PackageOffer.NOTHING
        : new PackageOffer(count, forSecurity, digest(String.join("\n", updates) + "\n\n" + forSecurity));
  }

  /// Returns 0 for a text that is no number.
  private static int count(String text) {
    return text.matches("[0-9]{1,6}") ? Integer.parseInt(text) : 0;
  }

  private static String digest(String text) {
    try {
      byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8));
      return HexFormat.of().formatHex(digest).substring(0, DIGEST_CHARS);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}
