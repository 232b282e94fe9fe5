package dev.uplift.cli;

import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.cli.rest.ServerObservation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Checks an installation from outside, and has the server check it from inside.
@Command(
    name = "doctor",
    description = {
      "Check the server and everything that it depends on, and say what to do: database, NATS and its streams, Temporal"
          + " and its task queues, clocks, keys, certificates, free space, workflows that do not continue.",
      "Needs the token of an admin of all tenants; with another one it checks only what can be seen from outside.",
      "Exit code: 0 if there is nothing to do, 5 for warnings, 1 if something does not work, 4 if no server responds."
    })
final class DoctorCommand implements Callable<Integer> {
  private static final List<String> SEVERITIES = List.of("ok", "warning", "critical");
  private static final String OUTSIDE = "rest";
  private static final Duration CERTIFICATE_WARNING = Duration.ofDays(14);
  private static final Duration CLOCK_WARNING = Duration.ofSeconds(5);

  @Mixin private ServerOptions server = new ServerOptions();

  @Override
  public Integer call() {
    try (RestClient rest = server.connect()) {
      ArrayNode findings = RestClient.JSON.createArrayNode();
      judge(rest.observe()).forEach(findings::add);
      ask(rest).forEach(findings::add);
      int worst = findings.valueStream().mapToInt(DoctorCommand::severity).max().orElse(0);
      ObjectNode diagnosis = RestClient.JSON.createObjectNode();
      diagnosis.put("severity", SEVERITIES.get(worst)).put("checked_at", Instant.now().toString());
      diagnosis.set("findings", findings);
      server.output().printResult(diagnosis, DoctorCommand::text);
      return switch (worst) {
        case 0 -> 0;
        case 1 -> CliException.WARNINGS;
        default -> CliException.FAILED;
      };
    }
  }

  /// Returns the findings of the server itself.
  private static List<JsonNode> ask(RestClient rest) {
    try {
      return rest.diagnosis().path("findings").valueStream().toList();
    } catch (CliException e) {
      if (e.exitCode() == CliException.UNREACHABLE) {
        throw e;
      }
      return List.of(
          finding(
              "warning",
              "the server does not say what it sees: " + e.getMessage(),
              "use the token of an admin of all tenants; if the database does not answer, start it"));
    }
  }

  static List<JsonNode> judge(ServerObservation seen) {
    List<JsonNode> findings = new ArrayList<>();
    findings.add(judgeHealth(seen.health()));
    judgeClock(seen).ifPresent(findings::add);
    seen.certificateExpiry().map(end -> judgeCertificate(end, seen.after())).ifPresent(findings::add);
    return findings;
  }

  private static JsonNode judgeHealth(JsonNode health) {
    String down =
        health
            .path("details")
            .propertyStream()
            .filter(part -> !part.getValue().path("status").asString("").equals("UP"))
            .map(part -> part.getKey())
            .sorted()
            .collect(Collectors.joining(", "));
    return health.path("status").asString("").equals("UP")
        ? finding("ok", "the server is up", "")
        : finding("critical", "the server is not healthy: " + down, "see what is found about it");
  }

  /// Empty if the response has no date.
  private static Optional<JsonNode> judgeClock(ServerObservation seen) {
    return seen.date()
        .map(date -> {
          // It is in whole seconds, and was read at any moment in between.
          Duration ahead = Duration.between(seen.after(), date);
          Duration behind = Duration.between(date.plusSeconds(1), seen.before());
          Duration difference = ahead.compareTo(behind) > 0 ? ahead : behind;
          return difference.compareTo(CLOCK_WARNING) < 0
              ? finding("ok", "its clock agrees with that of this machine", "")
              : finding(
                  "warning",
                  "its clock is %d s %s that of this machine"
                      .formatted(difference.toSeconds(), ahead.isPositive() ? "ahead of" : "behind"),
                  "have both machines set their clocks by NTP");
        });
  }

  private static JsonNode judgeCertificate(Instant end, Instant now) {
    return now.plus(CERTIFICATE_WARNING).isBefore(end)
        ? finding("ok", "its certificate is valid until " + end, "")
        : finding("warning", "its certificate expires at " + end, "renew it where TLS ends");
  }

  private static ObjectNode finding(String severity, String text, String advice) {
    ObjectNode finding = RestClient.JSON.createObjectNode();
    finding.put("part", OUTSIDE).put("severity", severity).put("text", text);
    if (!advice.isEmpty()) {
      finding.put("advice", advice);
    }
    return finding;
  }

  /// Of a severity that this version does not know, the worst is assumed.
  private static int severity(JsonNode finding) {
    int known = SEVERITIES.indexOf(finding.path("severity").asString(""));
    return known < 0 ? SEVERITIES.size() - 1 : known;
  }

  /// The worst ones first.
  private static String text(JsonNode diagnosis) {
    return diagnosis
        .path("findings")
        .valueStream()
        .sorted(Comparator.comparingInt(DoctorCommand::severity).reversed())
        .map(DoctorCommand::line)
        .collect(Collectors.joining("\n"));
  }

  private static String line(JsonNode finding) {
    String advice = finding.path("advice").asString("");
    return "%-8s  %s: %s%s"
        .formatted(
            finding.path("severity").asString(""),
            finding.path("part").asString(""),
            finding.path("text").asString(""),
            advice.isEmpty() ? "" : "\n          do: " + advice);
  }
}
