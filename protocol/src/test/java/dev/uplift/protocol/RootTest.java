package dev.uplift.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.uplift.protocol.Root.Holders;
import dev.uplift.protocol.Root.Role;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

final class RootTest {
  private static final SigningKey ANN = SigningKey.generate();
  private static final SigningKey BOB = SigningKey.generate();
  private static final SigningKey CARL = SigningKey.generate();
  private static final SigningKey MALLORY = SigningKey.generate();

  private static final Root FIRST = root("acme", 1, 2, ANN, BOB, CARL);

  /// A root that comes after [#FIRST], or wants to.
  ///
  /// @param why part of the refusal; empty where there is none
  record Case(String name, SignedRoot next, String why) {
    @Override
    public String toString() {
      return name;
    }
  }

  static final List<Case> CASES =
      List.of(
          good("the same keys", root("acme", 2, 2, ANN, BOB, CARL), ANN, CARL),
          good("one exchanged", root("acme", 2, 2, ANN, BOB, MALLORY), ANN, BOB),
          good("all exchanged", root("acme", 2, 1, MALLORY), ANN, BOB, MALLORY),
          good("a lower threshold", root("acme", 2, 1, ANN), ANN, BOB),
          bad("nobody", root("acme", 2, 2, ANN, BOB, CARL), "found none"),
          bad("too few", root("acme", 2, 2, ANN, BOB, CARL), "found " + ANN.keyId(), ANN),
          bad("one twice", root("acme", 2, 2, ANN, BOB, CARL), "found " + ANN.keyId(), ANN, ANN),
          bad("by the new alone", root("acme", 2, 1, MALLORY), "the root before", MALLORY),
          bad("by the old alone", root("acme", 2, 1, MALLORY), "of itself", ANN, BOB, CARL),
          bad("too few of the old", root("acme", 2, 1, ANN), "the root before", ANN),
          bad("the same version", root("acme", 1, 2, ANN, BOB, CARL), "expected 2", ANN, BOB),
          bad("one left out", root("acme", 3, 2, ANN, BOB, CARL), "expected 2", ANN, BOB),
          bad("of another tenant", root("other", 2, 2, ANN, BOB, CARL), "expected acme", ANN, BOB),
          bad("no root", new SignedRoot("{}", ""), "keys"),
          bad("no text", new SignedRoot("", ""), "expected a JSON object"));

  @ParameterizedTest
  @FieldSource("CASES")
  void rootIsFollowedByWhatBothHaveSigned(Case it) {
    String why =
        switch (it.next.after(FIRST)) {
          case SignedRoot.Judgement.Good _ -> "";
          case SignedRoot.Judgement.Refused(String text) -> text;
        };

    assertThat(why).contains(it.why);
    assertThat(why.isEmpty()).isEqualTo(it.why.isEmpty());
  }

  @Test
  void signatureForAnotherPurposeIsNone() {
    Root next = root("acme", 2, 1, ANN);
    byte[] bytes = next.write();
    String asRelease =
        ANN.sign(Purpose.RELEASE, bytes) + "\n" + BOB.sign(Purpose.COMMAND, bytes) + "\n";

    assertThat(new SignedRoot(new String(bytes, UTF_8), asRelease).after(FIRST))
        .isInstanceOf(SignedRoot.Judgement.Refused.class);
  }

  @Test
  void firstRootIsSignedByItself() {
    assertThat(Roots.signed(FIRST, ANN, BOB).alone("acme"))
        .isEqualTo(new SignedRoot.Judgement.Good(FIRST));
    assertThat(Roots.signed(FIRST, ANN).alone("acme"))
        .isInstanceOf(SignedRoot.Judgement.Refused.class);
    assertThat(Roots.signed(FIRST, ANN, BOB).alone("other"))
        .isInstanceOf(SignedRoot.Judgement.Refused.class);
  }

  @Test
  void keyHasOneRole() {
    var keys = new TreeMap<>(Map.of(ANN.keyId(), ANN.trusted(), BOB.keyId(), BOB.trusted()));
    Holders ann = new Holders(1, List.of(ANN.keyId()));
    Holders bob = new Holders(1, List.of(BOB.keyId()));

    assertThatThrownBy(() ->
            new Root(
                "acme",
                1,
                Roots.EXPIRES,
                keys,
                Map.of(Role.ROOT, ann, Role.RELEASE, bob, Role.COMMAND, bob)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining("exactly one role");
  }

  @Test
  void whatIsWrongIsNamed() {
    String text = new String(FIRST.write(), UTF_8);

    assertRefused(text.replace("\"threshold\":2", "\"threshold\":4"), "roles.root.threshold");
    assertRefused(text.replace("\"threshold\":2", "\"threshold\":0"), "roles.root.threshold");
    assertRefused(text.replace("\"command\"", "\"commander\""), "roles.command");
    assertRefused(text.replace("MCow", "MCox"), "Ed25519");
    assertRefused(text.replace(ANN.keyId() + "\":", "0123456789abcdef\":"), "0123456789abcdef");
    assertRefused(text.replace("2027-03-29", "someday"), "expires_at");
  }

  @Test
  void releaseNeedsAsManyKeysAsTheRootSays() {
    byte[] release = "a release".getBytes(UTF_8);
    Root root = Roots.EXAMPLE;

    assertThat(root.hasRelease(release, TestKey.RELEASE.sign(Purpose.RELEASE, release))).isTrue();
    assertThat(root.hasRelease(release, TestKey.COMMAND.sign(Purpose.RELEASE, release))).isFalse();
    assertThat(root.mayGoBackTo(release, TestKey.RELEASE.sign(Purpose.RELEASE, release))).isFalse();
    assertThat(root.mayGoBackTo(release, TestKey.RELEASE.sign(Purpose.DOWNGRADE, release)))
        .isTrue();
  }

  @Test
  void rootExpiresAtItsInstant() {
    assertThat(FIRST.isExpired(Roots.EXPIRES.minusNanos(1))).isFalse();
    assertThat(FIRST.isExpired(Roots.EXPIRES)).isTrue();
  }

  private static void assertRefused(String text, String name) {
    assertThatThrownBy(() -> Root.read(text.getBytes(UTF_8)))
        .isInstanceOf(MalformedMessage.class)
        .hasMessageContaining(name);
  }

  private static Root root(String tenant, long version, int threshold, SigningKey... root) {
    return Roots.root(tenant, version, threshold, List.of(root), TestKey.RELEASE, TestKey.COMMAND);
  }

  private static Case good(String name, Root next, SigningKey... by) {
    return new Case(name, Roots.signed(next, by), "");
  }

  private static Case bad(String name, Root next, String why, SigningKey... by) {
    return new Case(name, Roots.signed(next, by), why);
  }

  private static Case bad(String name, SignedRoot next, String why) {
    return new Case(name, next, why);
  }
}
