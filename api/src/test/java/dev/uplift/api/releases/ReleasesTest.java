package dev.uplift.api.releases;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.artifacts.Bytes;
import dev.uplift.api.server.Answer;
import dev.uplift.api.server.Home;
import dev.uplift.api.server.RootDraft;
import dev.uplift.api.server.SharedServer;
import dev.uplift.api.server.Tenant;
import dev.uplift.protocol.Purpose;
import dev.uplift.protocol.SigningKey;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import tools.jackson.databind.json.JsonMapper;

@ExtendWith(SharedServer.class)
final class ReleasesTest {
  private static final byte[] BYTES = Bytes.some(1000, 7);

  @Test
  void aSignedReleaseComesInAndIsTheSameTextForEver(Tenant tenant) {
    bring(tenant, BYTES);
    String text = text("1.0", 1, BYTES.length);

    Answer published = publish(tenant, text).is(201);
    assertThat(published.header("Location")).contains(tenant.path("releases/shopd/1.0"));
    Answer got = tenant.viewer().get(tenant.path("releases/shopd/1.0")).is(200);
    assertThat(got.json().path("release").asString()).isEqualTo(text);
    assertThat(got.json().path("package").asString()).isEqualTo("shopd");
    assertThat(got.json().path("sequence").asInt()).isEqualTo(1);
    assertThat(got.json().path("artifact").path("size").asInt()).isEqualTo(BYTES.length);
    assertThat(publish(tenant, text).is(200).text()).isEqualTo(got.text());
  }

  @Test
  void aReleaseNeverChanges(Tenant tenant) {
    bring(tenant, BYTES);
    publish(tenant, text("1.0", 1, BYTES.length)).is(201);

    assertThat(publish(tenant, text("1.0", 2, BYTES.length)).is(409).detail())
        .contains("shopd 1.0 was published at");
    assertThat(publish(tenant, text("1.1", 1, BYTES.length)).is(409).detail())
        .contains("shopd 1.0 has the sequence 1 already");
  }

  @Test
  void whatNoTrustedKeySignedIsRefused(Tenant tenant) {
    String text = text("1.0", 1, BYTES.length);
    String foreign = SigningKey.generate().sign(Purpose.RELEASE, text.getBytes(UTF_8));
    String otherText = sign(tenant, text + " ");

    for (String signature : new String[] {foreign, otherText, "", "nonsense", "x".repeat(2000)}) {
      assertThat(publish(tenant, text, signature).is(422).faults().getFirst())
          .startsWith("/signature: expected");
    }
    assertThat(publish(tenant, text, foreign).detail())
        .contains(tenant.server().home().releaseKey().keyId());
  }

  @Test
  void aReleaseForAnotherTenantIsRefused(Tenant tenant) {
    String text =
        text("1.0", 1, BYTES.length).replace("{\"package\"", "{\"tenant\":\"x\",\"package\"");

    assertThat(publish(tenant, text).is(422).faults())
        .containsExactly("/release: it is for the tenant x alone");
  }

  @Test
  void aReleaseIsSignedAnewWhenKeysAreExchanged(Tenant tenant) {
    bring(tenant, BYTES);
    String text = text("1.0", 1, BYTES.length);
    publish(tenant, text).is(201);
    Home home = tenant.server().home();
    SigningKey fresh = SigningKey.generate();
    RootDraft next = home.root(tenant.name()).next(home.rootKey(), fresh, home.commandKey());
    tenant.admin().send("PUT", tenant.path("trust/2"), next.body(home.rootKey())).is(201);
    publish(tenant, text).is(422);

    String both = sign(tenant, text) + "\n" + fresh.sign(Purpose.RELEASE, text.getBytes(UTF_8));
    publish(tenant, text, both).is(200);

    assertThat(
            tenant
                .viewer()
                .get(tenant.path("releases/shopd/1.0"))
                .json()
                .path("signature")
                .asString())
        .isEqualTo(both);
  }

  @Test
  void whatNoHostWouldTakeAfterTheExchangeIsNotStarted(Tenant tenant) {
    bring(tenant, BYTES);
    String text = text("1.0", 1, BYTES.length);
    publish(tenant, text).is(201);
    tenant.device("till", "left");
    String upgrade = "{\"package\":\"shopd\",\"version\":\"1.0\"}";
    String upgrades = tenant.path("devices/till/upgrades?validate=true");
    String rollout = upgrade.replace("}", ",\"selection\":\"true\",\"everything\":true}");
    String rollouts = tenant.path("rollouts?validate=true");
    tenant.operator().send("POST", upgrades, upgrade).is(201);
    tenant.operator().send("POST", rollouts, rollout).is(200);
    Home home = tenant.server().home();
    SigningKey fresh = SigningKey.generate();
    RootDraft next = home.root(tenant.name()).next(home.rootKey(), fresh, home.commandKey());

    tenant.admin().send("PUT", tenant.path("trust/2"), next.body(home.rootKey())).is(201);

    String why =
        "/version: shopd 1.0 is signed by fewer than 1 of the release keys of root 2;"
            + " sign it anew (`uplift keys sign`) and publish it again";
    assertThat(tenant.operator().send("POST", upgrades, upgrade).is(422).faults())
        .containsExactly(why);
    assertThat(tenant.operator().send("POST", rollouts, rollout).is(422).faults())
        .containsExactly(why);
    publish(tenant, text, fresh.sign(Purpose.RELEASE, text.getBytes(UTF_8))).is(200);
    tenant.operator().send("POST", upgrades, upgrade).is(201);
    tenant.operator().send("POST", rollouts, rollout).is(200);
  }

  @Test
  void aCommandsSignatureIsNotAReleases(Tenant tenant) {
    String text = text("1.0", 1, BYTES.length);
    SigningKey key = tenant.server().home().releaseKey();

    publish(tenant, text, key.sign(Purpose.COMMAND, text.getBytes(UTF_8))).is(422);
  }

  @Test
  void itsArtifactHasToBeThereAndToBeAsItSays(Tenant tenant) {
    assertThat(publish(tenant, text("1.0", 1, BYTES.length)).is(422).faults().getFirst())
        .startsWith("/release: its artifact is not there; bring it first with PUT /v1/tenants/");
    bring(tenant, BYTES);
    assertThat(publish(tenant, text("1.0", 1, 999)).is(422).faults())
        .containsExactly("/release: it says that its artifact has 999 bytes, which has 1000");
  }

  @Test
  void aReleaseWithoutAnArtifactIsOneToo(Tenant tenant) {
    publish(
            tenant,
            "{\"package\":\"os\",\"kind\":\"apt\",\"version\":\"12\",\"sequence\":3,"
                + "\"created_at\":\"2026-11-20T00:00:00Z\"}")
        .is(201);
    assertThat(tenant.viewer().get(tenant.path("releases/os/12")).json().has("artifact")).isFalse();
  }

  @Test
  void aSignedTextThatIsNoReleaseSaysWhatIsWrong(Tenant tenant) {
    assertThat(publish(tenant, "{\"package\":\"shopd\"}").is(422).faults().getFirst())
        .startsWith("/release: kind");
    assertThat(publish(tenant, "not json").is(422).faults().getFirst()).startsWith("/release: ");
  }

  @Test
  void validatePublishesNothing(Tenant tenant) {
    bring(tenant, BYTES);
    String text = text("1.0", 1, BYTES.length);
    String body = body(text, sign(tenant, text));

    tenant.admin().send("POST", tenant.path("releases?validate=true"), body).is(201);
    tenant.viewer().get(tenant.path("releases/shopd/1.0")).is(404);
  }

  @Test
  void listsAreNewestFirstWithinAPackage(Tenant tenant) {
    bring(tenant, BYTES);
    publish(tenant, text("1.0", 1, BYTES.length)).is(201);
    publish(tenant, text("1.10", 10, BYTES.length)).is(201);
    publish(tenant, text("1.9", 9, BYTES.length)).is(201);

    Answer list = tenant.viewer().get(tenant.path("releases?package=shopd")).is(200);
    assertThat(list.texts("items", "version")).containsExactly("1.10", "1.9", "1.0");
    assertThat(list.json().path("items").path(0).has("release")).isFalse();
    assertThat(tenant.viewer().get(tenant.path("releases?package=none")).is(200).text())
        .isEqualTo("{\"items\":[]}");
    tenant.viewer().get(tenant.path("releases/Bad_Name/1.0")).is(400);
  }

  private static void bring(Tenant tenant, byte[] bytes) {
    tenant.admin().sendAsIs("PUT", tenant.path("artifacts/" + Bytes.sha256(bytes)), bytes).is(201);
  }

  private static String text(String version, long sequence, long size) {
    return """
    {"package":"shopd","kind":"bundle","version":"%s","sequence":%d,
     "artifact":{"size":%d,"sha256":"%s"},"created_at":"2026-11-20T00:00:00Z"}
    """
        .formatted(version, sequence, size, Bytes.sha256(BYTES));
  }

  private static Answer publish(Tenant tenant, String text) {
    return publish(tenant, text, sign(tenant, text));
  }

  private static Answer publish(Tenant tenant, String text, String signature) {
    return tenant.admin().send("POST", tenant.path("releases"), body(text, signature));
  }

  private static String sign(Tenant tenant, String text) {
    return tenant.server().home().releaseKey().sign(Purpose.RELEASE, text.getBytes(UTF_8));
  }

  private static String body(String text, String signature) {
    return JsonMapper.shared()
        .createObjectNode()
        .put("release", text)
        .put("signature", signature)
        .toString();
  }
}
