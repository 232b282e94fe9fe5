package dev.uplift.cli.enrolment;

import dev.uplift.cli.option.ConnectionOptions;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Tokens with which hosts join.
@Command(
    name = "enroll",
    sortOptions = false,
    description = {
      "Makes tokens, good once and for a short time, with which hosts join the fleet.",
      "On the host: `uplift-agent join TOKEN`. With --csv, or with --count, many at once, as lines"
          + " `device,host,token,expires_at`; devices that are missing are made then, and hosts put"
          + " on them."
    })
public final class EnrolmentCommand implements Callable<Integer> {
  private static final int MAX_HOSTS_PER_REQUEST = 1000;
  private static final Duration MAX_VALIDITY = Duration.ofDays(7);
  private static final Pattern POINTER = Pattern.compile("/hosts/(\\d+)(?:/(\\S+))?");

  @Mixin private ConnectionOptions connection = new ConnectionOptions();
  @Mixin private TokenOutputOptions output = new TokenOutputOptions();
  @Mixin private DryRunOption dryRun = new DryRunOption();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "",
      description =
          "The device; with --count a pattern, in which # stand for a digit each: shop-####.")
  private String device = "";

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "",
      description = "The host; with --count a pattern, too.")
  private String host = "";

  @Option(names = "--count", paramLabel = "N", description = "So many devices, of one host each.")
  private @Nullable Integer count;

  @Option(
      names = "--first",
      paramLabel = "N",
      description = "With --count: the first number; default: 1.")
  private @Nullable Integer first;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "With --count: of the devices that are made; may be repeated.")
  private @Nullable Map<String, String> labels;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "",
      description = "With --csv or --count: of devices that are made; default: UTC.")
  private String zone = "";

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Lines `device,host[,label=value...]`; labels are for devices that are made.")
  private @Nullable Path csv;

  @Option(
      names = "--valid",
      paramLabel = "DURATION",
      defaultValue = "1h",
      description = "Such as 30m, 1h, 7d, which is the most; default: ${DEFAULT-VALUE}.")
  private String validity = "1h";

  @Override
  public Integer call() {
    ObjectNode body = RestClient.JSON.createObjectNode().put("valid_s", parseValidity(validity));
    boolean isOne = csv == null && count == null;
    List<EnrolmentTarget> hosts = isOne ? List.of() : targets();
    if (isOne) {
      rejectIf(labels != null || !zone.isEmpty() || first != null, "--label, --zone and --first");
    }
    String path =
        isOne
            ? "devices/%s/hosts/%s/enrolments"
                .formatted(
                    RestClient.pathSegment(required(device, "--device")),
                    RestClient.pathSegment(required(host, "--host")))
            : "enrolments";
    try (RestClient restClient = connection.connect()) {
      if (dryRun.enabled) {
        return validate(restClient, path, body, hosts);
      }
      output.createFile();
      if (isOne) {
        return createOne(restClient, path, body);
      }
      return createMany(restClient, body, hosts);
    }
  }

  private int validate(
      RestClient restClient, String path, ObjectNode body, List<EnrolmentTarget> hosts) {
    if (hosts.isEmpty()) {
      var _ = restClient.send("POST", path + dryRun.query(), body);
    }
    for (List<EnrolmentTarget> batch : batches(hosts)) {
      var _ = post(restClient, path + dryRun.query(), body, batch);
    }
    output.printCheck(
        dryRun.resultText("") + "; tokens would be made: " + Math.max(1, hosts.size()));
    return 0;
  }

  private int createOne(RestClient restClient, String path, ObjectNode body) {
    try {
      JsonNode made = restClient.send("POST", path, body);
      output.printTokens(made, made.path("token").asString(""), summary(made, 1));
      return 0;
    } catch (CliException e) {
      output.deleteFile();
      throw e;
    }
  }

  private int createMany(RestClient restClient, ObjectNode body, List<EnrolmentTarget> hosts) {
    ArrayNode made = RestClient.JSON.createArrayNode();
    try {
      // All or none within a request; so what is wrong in any is found before the first.
      for (List<EnrolmentTarget> batch :
          hosts.size() > MAX_HOSTS_PER_REQUEST
              ? batches(hosts)
              : List.<List<EnrolmentTarget>>of()) {
        var _ = post(restClient, "enrolments?validate=true", body, batch);
      }
      for (List<EnrolmentTarget> batch : batches(hosts)) {
        made.addAll((ArrayNode) post(restClient, "enrolments", body, batch).path("items"));
      }
    } catch (CliException e) {
      if (made.isEmpty()) {
        output.deleteFile();
        throw e;
      }
      output.printTokens(made, toCsv(made), summary(made.get(0), made.size()));
      throw new CliException(
          e.exitCode(),
          "%s; the first %d of %d hosts have a token"
              .formatted(e.getMessage(), made.size(), hosts.size()),
          e);
    }
    output.printTokens(made, toCsv(made), summary(made.path(0), made.size()));
    return 0;
  }

  private static List<List<EnrolmentTarget>> batches(List<EnrolmentTarget> hosts) {
    List<List<EnrolmentTarget>> batches = new ArrayList<>();
    for (int from = 0; from < hosts.size(); from += MAX_HOSTS_PER_REQUEST) {
      batches.add(hosts.subList(from, Math.min(from + MAX_HOSTS_PER_REQUEST, hosts.size())));
    }
    return batches;
  }

  private JsonNode post(
      RestClient restClient, String path, ObjectNode body, List<EnrolmentTarget> batch) {
    ArrayNode list = body.putArray("hosts");
    batch.forEach(each -> list.add(each.toJson(zone)));
    try {
      return restClient.send("POST", path, body);
    } catch (CliException e) {
      throw new CliException(e.exitCode(), withSource(String.valueOf(e.getMessage()), batch), e);
    }
  }

  /// What the server says of its list, said of what the person has written.
  private static String withSource(String text, List<EnrolmentTarget> batch) {
    return POINTER
        .matcher(text)
        .replaceAll(found -> {
          EnrolmentTarget plan = batch.get(Integer.parseInt(found.group(1)));
          String field = found.group(2) == null ? "" : ", " + found.group(2);
          return Matcher.quoteReplacement(plan.source() + field + ":");
        });
  }

  private List<EnrolmentTarget> targets() {
    if (csv == null) {
      return EnrolmentTarget.fromPattern(
          required(device, "--device"),
          required(host, "--host"),
          first == null ? 1 : first,
          count == null ? 0 : count,
          labels == null ? Map.of() : labels);
    }
    boolean more = count != null || first != null || labels != null;
    if (more || !device.isEmpty() || !host.isEmpty()) {
      throw CliException.usageError(
          "--csv: the file says which hosts; leave out what else says it");
    }
    return EnrolmentCsv.read(csv);
  }

  private static void rejectIf(boolean wrong, String options) {
    if (wrong) {
      throw CliException.usageError(
          options + " are for --count; one host is on a device that is there");
    }
  }

  private static String required(String value, String name) {
    if (value.isEmpty()) {
      throw CliException.usageError("Missing required option: '" + name + "'");
    }
    return value;
  }

  private static String summary(JsonNode made, int tokens) {
    return "%d %s, good until %s"
        .formatted(
            tokens,
            tokens == 1 ? "token" : "tokens",
            made.path("expires_at").asString("they are used"));
  }

  static long parseValidity(String text) {
    try {
      String iso = text.endsWith("d") ? "P" + text : "PT" + text;
      long seconds = Duration.parse(iso).toSeconds();
      if (seconds > 0 && seconds <= MAX_VALIDITY.toSeconds()) {
        return seconds;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw CliException.usageError("--valid: expected a duration such as 30m or 1h, 7d at most");
  }

  private static String toCsv(JsonNode made) {
    var text = new StringBuilder("device,host,token,expires_at");
    for (JsonNode each : made) {
      text.append('\n');
      text.append(each.path("device").asString("")).append(',');
      text.append(each.path("host").asString("")).append(',');
      text.append(each.path("token").asString("")).append(',');
      text.append(each.path("expires_at").asString(""));
    }
    return text.toString();
  }
}
