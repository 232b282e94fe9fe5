package dev.uplift.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.testing.ApiOperation;
import dev.uplift.api.testing.LiveServer;
import dev.uplift.api.testing.SampleRequests;
import dev.uplift.api.testing.StubHost;
import dev.uplift.api.testing.UpgradeScenario;
import dev.uplift.protocol.CommandAction;
import dev.uplift.protocol.WireErrorClass;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// `?validate=true` with every operation that changes something: the answer is that of the real request, and nothing is
/// done.
final class ValidateOnlyTest extends UpgradeScenario {
  /// The tables that REST writes to. Reports of hosts continue meanwhile.
  private static final List<String> TABLES =
      List.of(
          "tenant",
          "device",
          "device_label",
          "label_window",
          "policy",
          "webhook",
          "webhook_delivery",
          "release",
          "release_channel",
          "pin",
          "tenant_stop",
          "upgrade",
          "audit",
          "enrolment_token",
          "host_credential",
          "token_revocation",
          "api_token");

  private static final Map<String, ApiOperation> CHANGES =
      ApiOperation.all().stream()
          .filter(ApiOperation::isWrite)
          // Rollouts and barriers have tests of their own.
          .filter(apiOperation -> !apiOperation.path().contains("/rollouts"))
          .filter(apiOperation -> !apiOperation.path().contains("/barriers"))
          // Requests of hosts have no validation.
          .filter(ApiOperation::needsToken)
          .collect(Collectors.toMap(ApiOperation::id, Function.identity()));

  /// @param samples the requests
  /// @param status of the real request
  private record ValidateCase(String operation, SampleRequests samples, int status) {}

  ValidateOnlyTest(LiveServer live) {
    super(live);
  }

  @Test
  void validationAnswersLikeTheRealRequestAndChangesNothing() throws Exception {
    try (StubHost free = live.newHost();
        StubHost upgraded = live.newHost();
        StubHost paused = live.newHost().ignore(CommandAction.PREPARE);
        StubHost asked = live.newHost();
        StubHost stuck = live.newHost().failOn(CommandAction.UPGRADE, WireErrorClass.NEEDS_PERSON, "door-open")) {
      String done = doneUpgrade(upgraded);
      String resting = restingUpgrade(paused);
      String waiting = waitingUpgrade(stuck);
      String held = live.path("devices/" + free.name() + "/hold");
      String unapproved = unapprovedUpgrade(asked);
      List<ValidateCase> rows = rows(free, done, resting, waiting, unapproved);
      assertThat(rows)
          .extracting(ValidateCase::operation)
          .as("all operations that change something")
          .containsExactlyInAnyOrderElementsOf(CHANGES.keySet());
      List<String> before = snapshot();

      rows.forEach(this::validate);
      live.tenant().operator().send("POST", held + "?validate=true", "{}").expectStatus(400);

      assertThat(snapshot()).isEqualTo(before);
      assertThat(await(resting, _ -> true).path("paused_by").asString()).startsWith("operator");
      assertThat(hasWait(await(waiting, _ -> true), "reason", "person")).isTrue();
      end(resting, paused);
      assertThat(hasWait(await(unapproved, _ -> true), "reason", "approval")).isTrue();
      end(waiting, stuck);
      end(unapproved, asked);
    }
  }

  private List<ValidateCase> rows(StubHost free, String done, String resting, String waiting, String unapproved) {
    SampleRequests here = SampleRequests.of(live.tenant()).with("device", free.name());
    SampleRequests ofResting = here.with("id", resting);
    SampleRequests ofWaiting = here.with("id", waiting);
    ApiOperation put = requireNonNull(CHANGES.get("putLabelWindows"));
    here.send(put, live.tenant().admin()).expectStatus(201);
    here.withBody("setPin", "{\"version\":\"2.0\",\"reason\":\"trade fair\"}")
        .send(requireNonNull(CHANGES.get("setPin")), live.tenant().admin())
        .expectStatus(201);
    here.send(requireNonNull(CHANGES.get("moveChannel")), live.tenant().admin()).expectStatus(201);
    here.send(requireNonNull(CHANGES.get("putPolicy")), live.tenant().admin()).expectStatus(201);
    here.send(requireNonNull(CHANGES.get("putOsUpgrade")), live.tenant().admin()).expectStatus(201);
    here.send(requireNonNull(CHANGES.get("putWebhook")), live.tenant().admin()).expectStatus(201);
    String another = live.server().home().release(LiveServer.PACKAGE, "3.0", 30);
    return List.of(
        new ValidateCase("putTenant", here.with("tenant", "not-made"), 201),
        new ValidateCase("deleteTenant", SampleRequests.of(live.server().newTenant()), 200),
        new ValidateCase("putDevice", here.with("device", "not-made"), 201),
        new ValidateCase("patchDevice", here, 200),
        new ValidateCase("deleteDevice", here, 204),
        new ValidateCase("createEnrolmentToken", here.with("host", free.name()), 201),
        new ValidateCase("createEnrolmentTokens", here, 201),
        new ValidateCase("revokeHostCredentials", here.with("host", free.name()), 204),
        new ValidateCase("rotateHostCredentials", here.with("host", free.name()), 409),
        new ValidateCase("deleteHost", here.with("host", free.name()), 409),
        new ValidateCase("holdDevice", here, 200),
        new ValidateCase("endDeviceHold", here, 200),
        new ValidateCase("holdDevices", here, 200),
        new ValidateCase("endHolds", here, 200),
        new ValidateCase("setPin", here.with("package", "os"), 201),
        new ValidateCase("removePin", here, 204),
        new ValidateCase("stopTenant", here, 200),
        new ValidateCase("endStop", here, 200),
        new ValidateCase("moveChannel", here.with("channel", "beta"), 201),
        new ValidateCase("deleteChannel", here, 204),
        new ValidateCase("putPolicy", here, 200),
        new ValidateCase("patchPolicy", here, 200),
        new ValidateCase("enablePolicy", here, 200),
        new ValidateCase("disablePolicy", here, 200),
        new ValidateCase("deletePolicy", here, 204),
        new ValidateCase("putWebhook", here.with("webhook", "not-made"), 201),
        new ValidateCase("deleteWebhook", here, 204),
        new ValidateCase("enableWebhook", here, 200),
        new ValidateCase("disableWebhook", here, 200),
        new ValidateCase("rotateWebhookSecret", here, 200),
        new ValidateCase("testWebhook", here, 200),
        new ValidateCase("clearDeviceFailures", here, 200),
        new ValidateCase("clearFailures", here, 200),
        new ValidateCase("revokeTokens", here, 200),
        new ValidateCase("createApiToken", here, 201),
        new ValidateCase("putLabelWindows", here.with("value", "2"), 201),
        new ValidateCase("deleteLabelWindows", here, 204),
        new ValidateCase("putOsUpgrade", here, 204),
        new ValidateCase("patchOsUpgrade", here, 204),
        new ValidateCase("deleteOsUpgrade", here, 204),
        new ValidateCase("startUpgrade", here, 201),
        new ValidateCase("putArtifact", here, 201),
        new ValidateCase("publishRoot", here, 201),
        new ValidateCase("publishRelease", here.withBody("publishRelease", another), 201),
        new ValidateCase("revertUpgrade", here.with("id", done), 201),
        new ValidateCase("abortUpgrade", ofWaiting, 200),
        new ValidateCase("pauseUpgrade", ofWaiting, 200),
        new ValidateCase("resumeUpgrade", ofResting, 200),
        new ValidateCase("retryStep", ofWaiting, 200),
        new ValidateCase("skipHost", ofWaiting, 200),
        new ValidateCase("extendDeadline", ofWaiting, 200),
        new ValidateCase("approveUpgrade", here.with("id", unapproved), 200),
        new ValidateCase("denyUpgrade", here.with("id", unapproved), 200));
  }

  private void validate(ValidateCase validateCase) {
    ApiOperation apiOperation = requireNonNull(CHANGES.get(validateCase.operation()));
    assertThat(apiOperation.supportsValidate()).as("%s is documented", apiOperation).isTrue();
    var testResponse =
        validateCase.samples().send(apiOperation, live.server().clientWithRole("admin", "*"), "?validate=true");
    assertThat(testResponse.status()).as("%s: %s", apiOperation, testResponse.text()).isEqualTo(validateCase.status());
  }

  private String doneUpgrade(StubHost host) {
    String id = id();
    start(host, id, TO_2).expectStatus(201);
    awaitEnd(id);
    return id;
  }

  private String restingUpgrade(StubHost host) {
    String id = id();
    start(host, id, TO_2).expectStatus(201);
    await(id, upgrade -> waitsFor(upgrade, "prepare"));
    sendAction(id, "pause", "{}").expectStatus(200);
    return id;
  }

  private String unapprovedUpgrade(StubHost host) {
    String id = id();
    start(host, id, "{\"package\":\"shopd\",\"version\":\"2.0\",\"require_approval\":true}").expectStatus(201);
    await(id, upgrade -> hasWait(upgrade, "reason", "approval"));
    return id;
  }

  private String waitingUpgrade(StubHost host) {
    String id = id();
    start(host, id, TO_2).expectStatus(201);
    await(id, upgrade -> hasWait(upgrade, "reason", "person"));
    return id;
  }

  private void end(String id, StubHost host) {
    sendAction(id, "abort", "{}").expectStatus(200);
    host.resetBehavior();
    awaitEnd(id);
  }

  /// Returns all rows and all artifacts.
  private List<String> snapshot() throws SQLException, IOException {
    List<String> all = new ArrayList<>();
    String url = live.server().home().environment().get("UPLIFT_DATABASE_URL");
    try (Connection connection = DriverManager.getConnection(url, "uplift", "");
        Statement statement = connection.createStatement()) {
      for (String table : TABLES) {
        try (ResultSet rows = statement.executeQuery("SELECT * FROM " + table)) {
          while (rows.next()) {
            all.add(table + ": " + text(rows));
          }
        }
      }
    }
    try (var files = Files.walk(Path.of(live.server().home().path("artifacts")))) {
      files.forEach(file -> all.add(file.toString()));
    }
    return all.stream().sorted().toList();
  }

  private static String text(ResultSet row) throws SQLException {
    StringBuilder text = new StringBuilder();
    for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
      text.append(row.getString(i)).append(' ');
    }
    return text.toString();
  }
}
