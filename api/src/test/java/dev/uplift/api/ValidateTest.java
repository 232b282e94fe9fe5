package dev.uplift.api;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import dev.uplift.api.server.LiveServer;
import dev.uplift.api.server.Operation;
import dev.uplift.api.server.PlayedHost;
import dev.uplift.api.server.Samples;
import dev.uplift.api.server.UpgradeScenario;
import dev.uplift.protocol.Action;
import dev.uplift.protocol.ErrorClass;
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

/// `?validate=true` at everything that changes something: it is answered as it would be, and
/// nothing is done.
final class ValidateTest extends UpgradeScenario {
  /// Those that REST writes to. What hosts say goes on meanwhile.
  private static final List<String> TABLES =
      List.of(
          "tenant",
          "device",
          "device_label",
          "label_window",
          "release",
          "upgrade",
          "audit",
          "enrolment_token",
          "host_credential");

  private static final Map<String, Operation> CHANGES =
      Operation.all().stream()
          .filter(Operation::changes)
          // Those have a test of their own.
          .filter(operation -> !operation.path().contains("/rollouts"))
          // Hosts do what they ask for.
          .filter(Operation::needsToken)
          .collect(Collectors.toMap(Operation::id, Function.identity()));

  /// @param samples what it is asked for
  /// @param status that the real one would answer with
  private record Row(String operation, Samples samples, int status) {}

  ValidateTest(LiveServer live) {
    super(live);
  }

  @Test
  void isAnsweredAsItWouldBeAndNothingIsDone() throws Exception {
    try (PlayedHost free = live.newHost();
        PlayedHost upgraded = live.newHost();
        PlayedHost paused = live.newHost().ignores(Action.PREPARE);
        PlayedHost asked = live.newHost();
        PlayedHost stuck =
            live.newHost().fails(Action.UPGRADE, ErrorClass.NEEDS_PERSON, "door-open")) {
      String done = doneUpgrade(upgraded);
      String resting = restingUpgrade(paused);
      String waiting = waitingUpgrade(stuck);
      String held = live.path("devices/" + free.name() + "/hold");
      String unapproved = unapprovedUpgrade(asked);
      List<Row> rows = rows(free, done, resting, waiting, unapproved);
      assertThat(rows)
          .extracting(Row::operation)
          .as("nothing that changes something is left out")
          .containsExactlyInAnyOrderElementsOf(CHANGES.keySet());
      List<String> before = everything();

      rows.forEach(this::validate);
      live.tenant().operator().send("POST", held + "?validate=true", "{}").is(400);

      assertThat(everything()).isEqualTo(before);
      assertThat(await(resting, _ -> true).path("paused_by").asString()).isEqualTo("operator");
      assertThat(waiting(await(waiting, _ -> true), "what", "person")).isTrue();
      end(resting, paused);
      assertThat(waiting(await(unapproved, _ -> true), "what", "approval")).isTrue();
      end(waiting, stuck);
      end(unapproved, asked);
    }
  }

  private List<Row> rows(
      PlayedHost free, String done, String resting, String waiting, String unapproved) {
    Samples here = Samples.of(live.tenant()).with("device", free.name());
    Samples ofResting = here.with("id", resting);
    Samples ofWaiting = here.with("id", waiting);
    Operation put = requireNonNull(CHANGES.get("putLabelWindows"));
    here.send(put, live.tenant().admin()).is(201);
    String another = live.server().home().release(LiveServer.PACKAGE, "3.0", 30);
    return List.of(
        new Row("putTenant", here.with("tenant", "not-made"), 201),
        new Row("putDevice", here.with("device", "not-made"), 201),
        new Row("patchDevice", here, 200),
        new Row("deleteDevice", here, 204),
        new Row("inviteHost", here.with("host", free.name()), 201),
        new Row("inviteHosts", here, 201),
        new Row("revokeHost", here.with("host", free.name()), 204),
        new Row("rotateHost", here.with("host", free.name()), 409),
        new Row("deleteHost", here.with("host", free.name()), 409),
        new Row("holdDevice", here, 200),
        new Row("letDeviceGo", here, 200),
        new Row("putLabelWindows", here.with("value", "2"), 201),
        new Row("deleteLabelWindows", here, 204),
        new Row("startUpgrade", here, 201),
        new Row("putArtifact", here, 201),
        new Row("publishRoot", here, 201),
        new Row("publishRelease", here.withBody("publishRelease", another), 201),
        new Row("revertUpgrade", here.with("id", done), 201),
        new Row("abortUpgrade", ofWaiting, 200),
        new Row("pauseUpgrade", ofWaiting, 200),
        new Row("resumeUpgrade", ofResting, 200),
        new Row("retryStep", ofWaiting, 200),
        new Row("skipHost", ofWaiting, 200),
        new Row("extendDeadline", ofWaiting, 200),
        new Row("approveUpgrade", here.with("id", unapproved), 200),
        new Row("denyUpgrade", here.with("id", unapproved), 200));
  }

  private void validate(Row row) {
    Operation operation = requireNonNull(CHANGES.get(row.operation()));
    assertThat(operation.validates()).as("%s is documented", operation).isTrue();
    var answer =
        row.samples().send(operation, live.server().anyone("admin", "*"), "?validate=true");
    assertThat(answer.status()).as("%s: %s", operation, answer.text()).isEqualTo(row.status());
  }

  private String doneUpgrade(PlayedHost host) {
    String id = id();
    start(host, id, TO_2).is(201);
    awaitEnd(id);
    return id;
  }

  private String restingUpgrade(PlayedHost host) {
    String id = id();
    start(host, id, TO_2).is(201);
    await(id, upgrade -> waitsFor(upgrade, "prepare"));
    steer(id, "pause", "{}").is(200);
    return id;
  }

  private String unapprovedUpgrade(PlayedHost host) {
    String id = id();
    start(host, id, "{\"package\":\"shopd\",\"version\":\"2.0\",\"approval\":true}").is(201);
    await(id, upgrade -> waiting(upgrade, "what", "approval"));
    return id;
  }

  private String waitingUpgrade(PlayedHost host) {
    String id = id();
    start(host, id, TO_2).is(201);
    await(id, upgrade -> waiting(upgrade, "what", "person"));
    return id;
  }

  private void end(String id, PlayedHost host) {
    steer(id, "abort", "{}").is(200);
    host.behaves();
    awaitEnd(id);
  }

  /// All rows that there are, and all artifacts.
  private List<String> everything() throws SQLException, IOException {
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
