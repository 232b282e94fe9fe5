package dev.uplift.api.osupgrade;

import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.SharedServerExtension;
import dev.uplift.api.testing.TestClient;
import dev.uplift.api.testing.TestResponse;
import dev.uplift.api.testing.TestTenant;
import dev.uplift.fleet.policy.PolicyId;
import dev.uplift.fleet.policy.PolicyTarget;
import dev.uplift.services.policy.PolicyJson;
import dev.uplift.services.policy.PolicySpec;
import dev.uplift.store.policy.PolicyRepository;
import dev.uplift.store.policy.PolicyRow;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(SharedServerExtension.class)
final class OsUpgradeControllerTest {
  /// The sample of the document.
  private static final String SAMPLE =
      """
      {"worker-applications":[{"name":"os-upgrade-debian"}],\
      "maintenance-windows":[{"days-of-week":"Friday, Saturday","start-time":"01:00","timezone":"site-local",\
      "duration":"4h"}]}\
      """;

  private static final String OTHER = SAMPLE.replace("4h", "5h");

  /// AV-55, AV-57, AV-59, AV-68, AV-73 to AV-77.
  @Test
  void whatIsPutIsShownAsItWasWritten(TestTenant testTenant) {
    TestResponse created = put(testTenant, SAMPLE).expectStatus(201);
    assertThat(created.text()).isEqualTo(SAMPLE);
    assertThat(testTenant.viewer().get(path(testTenant)).expectStatus(200).text()).isEqualTo(SAMPLE);

    TestResponse replaced = put(testTenant, OTHER).expectStatus(204);
    assertThat(replaced.text()).isEmpty();
    assertThat(testTenant.viewer().get(path(testTenant)).expectStatus(200).text()).isEqualTo(OTHER);
    assertThat(replaced.header("ETag")).isNotEqualTo(created.header("ETag"));
  }

  /// AV-69, AV-70: the hosts that report the package, in every window.
  @Test
  void itIsAnEnabledPolicyForTheHostsThatReportThePackage(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);

    PolicyRow row = policy(testTenant).orElseThrow();
    PolicySpec spec = PolicyJson.read(row.spec());

    assertThat(row.enabled()).isTrue();
    assertThat(row.packageName()).isEqualTo("os-upgrade-debian");
    assertThat(spec.selection()).isEqualTo("'os-upgrade-debian' in versions");
    assertThat(spec.target()).isEqualTo(new PolicyTarget.Channel("stable"));
    assertThat(spec.rollout().plan().windows()).hasSize(1);
  }

  /// AV-56: what is not named stays, and so does all of the policy that is not shown here.
  @Test
  void aPatchChangesOnlyWhatItNames(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);
    testTenant
        .operator()
        .send("PATCH", testTenant.path("policies/os-upgrade"), "{\"description\":\"By contract.\"}")
        .expectStatus(200);

    send(testTenant, "PATCH", "{\"worker-applications\":[{\"name\":\"os\"}]}").expectStatus(204);
    assertThat(testTenant.viewer().get(path(testTenant)).text()).isEqualTo(SAMPLE.replace("os-upgrade-debian", "os"));
    assertThat(PolicyJson.read(policy(testTenant).orElseThrow().spec()).selection()).isEqualTo("'os' in versions");

    send(testTenant, "PATCH", "{\"maintenance-windows\":null}").expectStatus(204);
    assertThat(testTenant.viewer().get(path(testTenant)).json().path("maintenance-windows").size()).isZero();
    assertThat(policy(testTenant).orElseThrow().description()).isEqualTo("By contract.");
    assertThat(testTenant.viewer().get(testTenant.path("audit?target=policy/os-upgrade")).texts("items", "action"))
        .containsExactly("os-upgrade.patch", "os-upgrade.patch", "policy.put", "os-upgrade.put");
  }

  /// AV-58, AV-62: 404 after it.
  @Test
  void whatIsDeletedIsGone(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);

    testTenant.operator().delete(path(testTenant)).expectStatus(204);

    assertThat(policy(testTenant)).isEmpty();
    testTenant.viewer().get(path(testTenant)).expectStatus(404);
    testTenant.operator().delete(path(testTenant)).expectStatus(404);
    send(testTenant, "PATCH", "{}").expectStatus(404);
    testTenant.viewer().get(path(testTenant).replace("config", "state")).expectStatus(404);
  }

  /// AV-60.
  @Test
  void whatHasNotChangedIsNotSentAgain(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);
    TestClient knows = testTenant.viewer().withHeader("If-None-Match", tag(testTenant));

    assertThat(knows.get(path(testTenant)).status()).isEqualTo(304);
    put(testTenant, SAMPLE).expectStatus(204);
    assertThat(knows.get(path(testTenant)).status()).isEqualTo(304);
    put(testTenant, OTHER).expectStatus(204);
    assertThat(knows.get(path(testTenant)).status()).isEqualTo(200);
  }

  /// AV-61.
  @Test
  void allOfThemAnswer412ToAnotherVersion(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);
    String seen = tag(testTenant);
    put(testTenant, OTHER).expectStatus(204);
    TestClient late = testTenant.operator().withHeader("If-Match", seen);

    late.get(path(testTenant)).expectStatus(412);
    late.send("PUT", path(testTenant), SAMPLE).expectStatus(412);
    late.send("PATCH", path(testTenant), "{}").expectStatus(412);
    late.delete(path(testTenant)).expectStatus(412);
    testTenant.operator().withHeader("If-None-Match", "*").send("PUT", path(testTenant), SAMPLE).expectStatus(412);
    TestClient now = testTenant.operator().withHeader("If-Match", tag(testTenant));
    now.get(path(testTenant)).expectStatus(200);
    now.send("PUT", path(testTenant), SAMPLE).expectStatus(204);
  }

  /// AV-62, AV-64: 401, 403 and 404. AV-63 is in `UnavailableDependenciesTest`, with all other operations.
  @Test
  void withoutTheRightItIsRefused(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);

    testTenant.server().anonymousClient().get(path(testTenant)).expectStatus(401);
    testTenant.viewer().send("PUT", path(testTenant), SAMPLE).expectStatus(403);
    testTenant.viewer().send("PATCH", path(testTenant), "{}").expectStatus(403);
    testTenant.viewer().delete(path(testTenant)).expectStatus(403);
    testTenant.server().newTenant().admin().get(path(testTenant)).expectStatus(404);
    testTenant
        .server()
        .clientWithRole("admin", "*")
        .send("PUT", "/v1/config/tenants/no-such/os-upgrade", SAMPLE)
        .expectStatus(404);
  }

  /// AV-65.
  @ParameterizedTest
  @CsvSource({"Acme", "-acme", "acme-", "a_b"})
  void aTenantHasAName(String name, TestTenant testTenant) {
    testTenant
        .server()
        .clientWithRole("admin", "*")
        .get("/v1/config/tenants/" + name + "/os-upgrade")
        .expectStatus(400);
  }

  /// AV-66.
  @Test
  void validateChecksAndDoesNothing(TestTenant testTenant) {
    put(testTenant, "?validate=true", SAMPLE).expectStatus(201);
    assertThat(policy(testTenant)).isEmpty();
    put(testTenant, SAMPLE).expectStatus(201);
    String tag = tag(testTenant);

    put(testTenant, "?validate=true", OTHER).expectStatus(204);
    put(testTenant, "?validate=true", "{}").expectStatus(400);
    testTenant.operator().send("PATCH", path(testTenant) + "?validate=true", "{}").expectStatus(204);
    testTenant.operator().delete(path(testTenant) + "?validate=true").expectStatus(204);
    testTenant.viewer().get(path(testTenant) + "?validate=true").expectStatus(200);
    testTenant.viewer().get(path(testTenant) + "?validate=perhaps").expectStatus(400);

    assertThat(tag(testTenant)).isEqualTo(tag);
  }

  /// AV-67.
  @Test
  void onlyTheRequestedFieldsAreShown(TestTenant testTenant) {
    put(testTenant, SAMPLE).expectStatus(201);

    assertThat(testTenant.viewer().get(path(testTenant) + "?fields=worker-applications").expectStatus(200).text())
        .isEqualTo("{\"worker-applications\":[{\"name\":\"os-upgrade-debian\"}]}");
    assertThat(
            testTenant
                .viewer()
                .get(path(testTenant) + "?fields=maintenance-windows,worker-applications")
                .expectStatus(200)
                .text())
        .isEqualTo(SAMPLE);
    assertThat(testTenant.viewer().get(path(testTenant) + "?fields=status").expectStatus(400).errors())
        .containsExactly("fields: expected some of worker-applications, maintenance-windows, separated by commas");
  }

  /// AV-62: 400, with all faults at once.
  @Test
  void allThatIsWrongIsSaidAtOnce(TestTenant testTenant) {
    String wrong =
        """
        {"worker-applications":[{"name":"Debian!"}],"maintenance-windows":[{"days-of-week":"Freitag",\
        "start-time":"25:00","timezone":"Mars","duration":"forever"}],"title":"x"}\
        """;

    assertThat(put(testTenant, wrong).expectStatus(400).errors())
        .extracting(error -> error.substring(0, error.indexOf(": ")))
        .containsExactlyInAnyOrder(
            "/worker-applications/0/name",
            "/maintenance-windows/0/days-of-week",
            "/maintenance-windows/0/start-time",
            "/maintenance-windows/0/timezone",
            "/maintenance-windows/0/duration",
            "/title");
    put(testTenant, "{\"worker-applications\":[]}").expectStatus(400);
    put(testTenant, "{\"worker-applications\":[{\"name\":\"a\"},{\"name\":\"b\"}]}").expectStatus(400);
    assertThat(policy(testTenant)).isEmpty();
  }

  private static TestResponse put(TestTenant testTenant, String body) {
    return put(testTenant, "", body);
  }

  private static TestResponse put(TestTenant testTenant, String query, String body) {
    return testTenant.operator().send("PUT", path(testTenant) + query, body);
  }

  private static TestResponse send(TestTenant testTenant, String method, String body) {
    return testTenant.operator().send(method, path(testTenant), body);
  }

  private static String tag(TestTenant testTenant) {
    return testTenant.viewer().get(path(testTenant)).expectStatus(200).header("ETag").orElseThrow();
  }

  private static String path(TestTenant testTenant) {
    return "/v1/config/tenants/%s/os-upgrade".formatted(testTenant.name());
  }

  private static Optional<PolicyRow> policy(TestTenant testTenant) {
    return testTenant.server().bean(PolicyRepository.class).find(new PolicyId(testTenant.name(), "os-upgrade"));
  }
}
