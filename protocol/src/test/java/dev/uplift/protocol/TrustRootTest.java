package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.TrustRoot.Role;
import dev.uplift.protocol.TrustRoot.RoleKeys;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class TrustRootTest {
  private static final SigningKey ANN = SigningKey.generate();
  private static final SigningKey BOB = SigningKey.generate();
  private static final SigningKey CARL = SigningKey.generate();
  private static final SigningKey MALLORY = SigningKey.generate();

  private static final TrustRoot FIRST = root("acme", 1, 2, ANN, BOB, CARL);

  /// A candidate for the root after [#FIRST].
  ///
  /// @param why part of the error; empty if it is valid
  record Case(String name, SignedTrustRoot next, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          good("the same keys", root("acme", 2, 2, ANN, BOB, CARL), ANN, CARL),
          good("one replaced", root("acme", 2, 2, ANN, BOB, MALLORY), ANN, BOB),
          good("all replaced", root("acme", 2, 1, MALLORY), ANN, BOB, MALLORY),
          good("a lower threshold", root("acme", 2, 1, ANN), ANN, BOB),
          bad("unsigned", root("acme", 2, 2, ANN, BOB, CARL), "found none"),
          bad("too few", root("acme", 2, 2, ANN, BOB, CARL), "found " + ANN.keyId(), ANN),
          bad("one twice", root("acme", 2, 2, ANN, BOB, CARL), "found " + ANN.keyId(), ANN, ANN),
          bad("by the new ones only", root("acme", 2, 1, MALLORY), "the root before", MALLORY),
          bad("by the old ones only", root("acme", 2, 1, MALLORY), "of itself", ANN, BOB, CARL),
          bad("too few of the old", root("acme", 2, 1, ANN), "the root before", ANN),
          bad("the same version", root("acme", 1, 2, ANN, BOB, CARL), "expected 2", ANN, BOB),
          bad("one version skipped", root("acme", 3, 2, ANN, BOB, CARL), "expected 2", ANN, BOB),
          bad("of another tenant", root("other", 2, 2, ANN, BOB, CARL), "expected acme", ANN, BOB),
          bad("no root", new SignedTrustRoot("{}", ""), "keys"),
          bad("no text", new SignedTrustRoot("", ""), "expected a JSON object"));

  @ParameterizedTest
  @FieldSource("CASES")
  void successorNeedsSignaturesOfBothRoots(Case it) {
    String why =
        switch (it.next.verifyAsSuccessorOf(FIRST)) {
          case SignedTrustRoot.Verification.Valid _ -> "";
          case SignedTrustRoot.Verification.Invalid(String text) -> text;
        };

    assertThat(why).contains(it.why);
    assertThat(why.isEmpty()).isEqualTo(it.why.isEmpty());
  }

  @Test
  void signatureOfAnotherDomainIsInvalid() {
    TrustRoot next = root("acme", 2, 1, ANN);
    byte[] bytes = next.write();
    String asRelease =
        ANN.sign(SignatureDomain.RELEASE, bytes) + "\n" + BOB.sign(SignatureDomain.COMMAND, bytes) + "\n";

    assertThat(new SignedTrustRoot(new String(bytes, UTF_8), asRelease).verifyAsSuccessorOf(FIRST))
        .isInstanceOf(SignedTrustRoot.Verification.Invalid.class);
  }

  @Test
  void firstRootIsSelfSigned() {
    assertThat(TestTrustRoots.signed(FIRST, ANN, BOB).verifyAsFirst("acme"))
        .isEqualTo(new SignedTrustRoot.Verification.Valid(FIRST));
    assertThat(TestTrustRoots.signed(FIRST, ANN).verifyAsFirst("acme"))
        .isInstanceOf(SignedTrustRoot.Verification.Invalid.class);
    assertThat(TestTrustRoots.signed(FIRST, ANN, BOB).verifyAsFirst("other"))
        .isInstanceOf(SignedTrustRoot.Verification.Invalid.class);
  }

  @Test
  void keyHasOneRole() {
    var keys = new TreeMap<>(Map.of(ANN.keyId(), ANN.trustedKey(), BOB.keyId(), BOB.trustedKey()));
    RoleKeys ann = new RoleKeys(1, List.of(ANN.keyId()));
    RoleKeys bob = new RoleKeys(1, List.of(BOB.keyId()));

    assertThatThrownBy(() ->
            new TrustRoot(
                "acme", 1, TestTrustRoots.EXPIRES, keys, Map.of(Role.ROOT, ann, Role.RELEASE, bob, Role.COMMAND, bob)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("exactly one role");
  }

  @Test
  void faultsAreNamed() {
    String text = new String(FIRST.write(), UTF_8);

    assertRejected(text.replace("\"threshold\":2", "\"threshold\":4"), "roles.root.threshold");
    assertRejected(text.replace("\"threshold\":2", "\"threshold\":0"), "roles.root.threshold");
    assertRejected(text.replace("\"command\"", "\"commander\""), "roles.command");
    assertRejected(text.replace("MCow", "MCox"), "Ed25519");
    assertRejected(text.replace(ANN.keyId() + "\":", "0123456789abcdef\":"), "0123456789abcdef");
    assertRejected(text.replace("2027-03-29", "someday"), "expires_at");
  }

  @Test
  void releaseNeedsTheThresholdOfTheRoot() {
    byte[] release = "a release".getBytes(UTF_8);
    TrustRoot trustRoot = TestTrustRoots.EXAMPLE;

    assertThat(trustRoot.verifyRelease(release, TestKeys.RELEASE.sign(SignatureDomain.RELEASE, release))).isTrue();
    assertThat(trustRoot.verifyRelease(release, TestKeys.COMMAND.sign(SignatureDomain.RELEASE, release))).isFalse();
    assertThat(trustRoot.verifyDowngrade(release, TestKeys.RELEASE.sign(SignatureDomain.RELEASE, release))).isFalse();
    assertThat(trustRoot.verifyDowngrade(release, TestKeys.RELEASE.sign(SignatureDomain.DOWNGRADE, release))).isTrue();
  }

  @Test
  void rootExpiresAtItsTime() {
    assertThat(FIRST.isExpired(TestTrustRoots.EXPIRES.minusNanos(1))).isFalse();
    assertThat(FIRST.isExpired(TestTrustRoots.EXPIRES)).isTrue();
  }

  private static void assertRejected(String text, String name) {
    assertThatThrownBy(() -> TrustRoot.read(text.getBytes(UTF_8)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining(name);
  }

  private static TrustRoot root(String tenant, long version, int threshold, SigningKey... root) {
    return TestTrustRoots.root(tenant, version, threshold, List.of(root), TestKeys.RELEASE, TestKeys.COMMAND);
  }

  private static Case good(String name, TrustRoot next, SigningKey... by) {
    return new Case(name, TestTrustRoots.signed(next, by), "");
  }

  private static Case bad(String name, TrustRoot next, String why, SigningKey... by) {
    return new Case(name, TestTrustRoots.signed(next, by), why);
  }

  private static Case bad(String name, SignedTrustRoot next, String why) {
    return new Case(name, next, why);
  }
}
