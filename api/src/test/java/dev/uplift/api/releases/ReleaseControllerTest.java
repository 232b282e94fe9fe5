package dev.uplift.api.releases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.artifacts.TestArtifacts;
import dev.uplift.api.testing.ServerHome;
import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestRoot;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.protocol.signature.SignatureDomain;
import dev.uplift.protocol.signature.SigningKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(SharedServerExtension.class)
final class ReleaseControllerTest {
  private static final byte[] BYTES = TestArtifacts.randomBytes(1000, 7);

  @Test
  void aSignedReleaseIsAcceptedAndItsTextIsKept(TestTenant testTenant) {
    upload(testTenant, BYTES);
    String text = text("1.0", 1, BYTES.length);

    TestResponse published = publish(testTenant, text).expectStatus(201);
    assertThat(published.header("Location")).contains(testTenant.path("releases/shopd/1.0"));
    TestResponse got = testTenant.viewer().get(testTenant.path("releases/shopd/1.0")).expectStatus(200);
    assertThat(got.json().path("release").asString()).isEqualTo(text);
    assertThat(got.json().path("package").asString()).isEqualTo("shopd");
    assertThat(got.json().path("sequence").asInt()).isEqualTo(1);
    assertThat(got.json().path("artifact").path("size").asInt()).isEqualTo(BYTES.length);
    assertThat(publish(testTenant, text).expectStatus(200).text()).isEqualTo(got.text());
  }

  @Test
  void publishingStartsNothing(TestTenant testTenant) {
    testTenant.putDevice("till", "left");
    upload(testTenant, BYTES);

    publish(testTenant, text("1.0", 1, BYTES.length)).expectStatus(201);

    assertThat(testTenant.viewer().get(testTenant.path("upgrades")).expectStatus(200).json().path("items")).isEmpty();
    assertThat(testTenant.viewer().get(testTenant.path("rollouts")).expectStatus(200).json().path("items")).isEmpty();
  }

  @Test
  void aReleaseNeverChanges(TestTenant testTenant) {
    upload(testTenant, BYTES);
    publish(testTenant, text("1.0", 1, BYTES.length)).expectStatus(201);

    assertThat(publish(testTenant, text("1.0", 2, BYTES.length)).expectStatus(409).detail())
        .contains("shopd 1.0 was published at");
    assertThat(publish(testTenant, text("1.1", 1, BYTES.length)).expectStatus(409).detail())
        .contains("shopd 1.0 has the sequence 1 already");
  }

  @Test
  void aReleaseWithoutATrustedSignatureIsRejected(TestTenant testTenant) {
    String text = text("1.0", 1, BYTES.length);
    String foreign = SigningKey.generate().sign(SignatureDomain.RELEASE, text.getBytes(UTF_8));
    String otherText = sign(testTenant, text + " ");

    for (String signature : new String[] {foreign, otherText, "", "nonsense", "x".repeat(2000)}) {
      assertThat(publish(testTenant, text, signature).expectStatus(422).errors().getFirst())
          .startsWith("/signature: expected");
    }
    assertThat(publish(testTenant, text, foreign).detail()).contains(testTenant.server().home().releaseKey().keyId());
  }

  @Test
  void aReleaseForAnotherTenantIsRejected(TestTenant testTenant) {
    String text = text("1.0", 1, BYTES.length).replace("{\"package\"", "{\"tenant\":\"x\",\"package\"");

    assertThat(publish(testTenant, text).expectStatus(422).errors())
        .containsExactly("/release: it is for the tenant x only");
  }

  @Test
  void aReleaseIsSignedAgainAfterAKeyRotation(TestTenant testTenant) {
    upload(testTenant, BYTES);
    String text = text("1.0", 1, BYTES.length);
    publish(testTenant, text).expectStatus(201);
    ServerHome serverHome = testTenant.server().home();
    SigningKey fresh = SigningKey.generate();
    TestRoot next = serverHome.root(testTenant.name()).next(serverHome.rootKey(), fresh, serverHome.commandKey());
    testTenant.admin().send("PUT", testTenant.path("trust/2"), next.body(serverHome.rootKey())).expectStatus(201);
    publish(testTenant, text).expectStatus(422);

    String both = sign(testTenant, text) + "\n" + fresh.sign(SignatureDomain.RELEASE, text.getBytes(UTF_8));
    publish(testTenant, text, both).expectStatus(200);

    assertThat(testTenant.viewer().get(testTenant.path("releases/shopd/1.0")).json().path("signature").asString())
        .isEqualTo(both);
  }

  @Test
  void aReleaseThatHostsRejectAfterTheRotationIsNotStarted(TestTenant testTenant) {
    upload(testTenant, BYTES);
    String text = text("1.0", 1, BYTES.length);
    publish(testTenant, text).expectStatus(201);
    testTenant.putDevice("till", "left");
    String upgrade = "{\"package\":\"shopd\",\"version\":\"1.0\"}";
    String upgrades = testTenant.path("devices/till/upgrades?validate=true");
    String rollout = upgrade.replace("}", ",\"selection\":\"true\",\"everything\":true}");
    String rollouts = testTenant.path("rollouts?validate=true");
    testTenant.operator().send("POST", upgrades, upgrade).expectStatus(201);
    testTenant.operator().send("POST", rollouts, rollout).expectStatus(200);
    ServerHome serverHome = testTenant.server().home();
    SigningKey fresh = SigningKey.generate();
    TestRoot next = serverHome.root(testTenant.name()).next(serverHome.rootKey(), fresh, serverHome.commandKey());

    testTenant.admin().send("PUT", testTenant.path("trust/2"), next.body(serverHome.rootKey())).expectStatus(201);

    String why =
        "/version: shopd 1.0 is signed by fewer than 1 of the release keys of root 2;"
            + " sign it again (`uplift keys sign`) and publish it";
    assertThat(testTenant.operator().send("POST", upgrades, upgrade).expectStatus(422).errors()).containsExactly(why);
    assertThat(testTenant.operator().send("POST", rollouts, rollout).expectStatus(422).errors()).containsExactly(why);
    publish(testTenant, text, fresh.sign(SignatureDomain.RELEASE, text.getBytes(UTF_8))).expectStatus(200);
    testTenant.operator().send("POST", upgrades, upgrade).expectStatus(201);
    testTenant.operator().send("POST", rollouts, rollout).expectStatus(200);
  }

  @Test
  void theSignatureOfACommandIsNotThatOfARelease(TestTenant testTenant) {
    String text = text("1.0", 1, BYTES.length);
    SigningKey key = testTenant.server().home().releaseKey();

    publish(testTenant, text, key.sign(SignatureDomain.COMMAND, text.getBytes(UTF_8))).expectStatus(422);
  }

  @Test
  void theArtifactMustBeStoredAndMatch(TestTenant testTenant) {
    assertThat(publish(testTenant, text("1.0", 1, BYTES.length)).expectStatus(422).errors().getFirst())
        .startsWith("/release: its artifact is missing; upload it first with PUT /v1/tenants/");
    upload(testTenant, BYTES);
    assertThat(publish(testTenant, text("1.0", 1, 999)).expectStatus(422).errors())
        .containsExactly("/release: expected an artifact of 999 bytes, found one of 1000");
  }

  @Test
  void aReleaseMayHaveNoArtifact(TestTenant testTenant) {
    publish(
            testTenant,
            "{\"package\":\"os\",\"kind\":\"apt\",\"version\":\"12\",\"sequence\":3,"
                + "\"created_at\":\"2026-11-20T00:00:00Z\"}")
        .expectStatus(201);
    assertThat(testTenant.viewer().get(testTenant.path("releases/os/12")).json().has("artifact")).isFalse();
  }

  @Test
  void aSignedTextThatIsNoReleaseIsRejectedWithTheFault(TestTenant testTenant) {
    assertThat(publish(testTenant, "{\"package\":\"shopd\"}").expectStatus(422).errors().getFirst())
        .startsWith("/release: kind");
    assertThat(publish(testTenant, "not json").expectStatus(422).errors().getFirst()).startsWith("/release: ");
  }

  @Test
  void validatePublishesNothing(TestTenant testTenant) {
    upload(testTenant, BYTES);
    String text = text("1.0", 1, BYTES.length);
    String body = body(text, sign(testTenant, text));

    testTenant.admin().send("POST", testTenant.path("releases?validate=true"), body).expectStatus(201);
    testTenant.viewer().get(testTenant.path("releases/shopd/1.0")).expectStatus(404);
  }

  @Test
  void listsAreNewestFirstWithinAPackage(TestTenant testTenant) {
    upload(testTenant, BYTES);
    publish(testTenant, text("1.0", 1, BYTES.length)).expectStatus(201);
    publish(testTenant, text("1.10", 10, BYTES.length)).expectStatus(201);
    publish(testTenant, text("1.9", 9, BYTES.length)).expectStatus(201);

    TestResponse list = testTenant.viewer().get(testTenant.path("releases?package=shopd")).expectStatus(200);
    assertThat(list.texts("items", "version")).containsExactly("1.10", "1.9", "1.0");
    assertThat(list.json().path("items").path(0).has("release")).isFalse();
    assertThat(testTenant.viewer().get(testTenant.path("releases?package=none")).expectStatus(200).text())
        .isEqualTo("{\"items\":[]}");
    testTenant.viewer().get(testTenant.path("releases/Bad_Name/1.0")).expectStatus(400);
  }

  private static void upload(TestTenant testTenant, byte[] bytes) {
    testTenant
        .admin()
        .sendRaw("PUT", testTenant.path("artifacts/" + TestArtifacts.sha256(bytes)), bytes)
        .expectStatus(201);
  }

  private static String text(String version, long sequence, long size) {
    return """
    {"package":"shopd","kind":"bundle","version":"%s","sequence":%d,
     "artifact":{"size":%d,"sha256":"%s"},"created_at":"2026-11-20T00:00:00Z"}
    """
        .formatted(version, sequence, size, TestArtifacts.sha256(BYTES));
  }

  private static TestResponse publish(TestTenant testTenant, String text) {
    return publish(testTenant, text, sign(testTenant, text));
  }

  private static TestResponse publish(TestTenant testTenant, String text, String signature) {
    return testTenant.admin().send("POST", testTenant.path("releases"), body(text, signature));
  }

  private static String sign(TestTenant testTenant, String text) {
    return testTenant.server().home().releaseKey().sign(SignatureDomain.RELEASE, text.getBytes(UTF_8));
  }

  private static String body(String text, String signature) {
    return JsonMapper.shared().createObjectNode().put("release", text).put("signature", signature).toString();
  }
}
