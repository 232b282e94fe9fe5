package dev.uplift.cli;

import dev.uplift.cli.rest.CommandFailed;
import dev.uplift.cli.rest.Rest;
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
final class EnrolCommand implements Callable<Integer> {
  private static final int MOST = 1000;
  private static final Duration MOST_VALID = Duration.ofDays(7);
  private static final Pattern POINTER = Pattern.compile("/hosts/(\\d+)(?:/(\\S+))?");

  @Mixin private Connection connection = new Connection();
  @Mixin private TokenOutput output = new TokenOutput();
  @Mixin private DryRun dryRun = new DryRun();

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
  private String valid = "1h";

  @Override
  public Integer call() {
    ObjectNode body = Rest.JSON.createObjectNode().put("valid_s", seconds(valid));
    boolean isOne = csv == null && count == null;
    List<EnrolPlan> hosts = isOne ? List.of() : plans();
    if (isOne) {
      refuse(labels != null || !zone.isEmpty() || first != null, "--label, --zone and --first");
    }
    String path =
        isOne
            ? "devices/%s/hosts/%s/enrolments"
                .formatted(
                    Rest.segment(needed(device, "--device")), Rest.segment(needed(host, "--host")))
            : "enrolments";
    try (Rest rest = connection.open()) {
      if (dryRun.only) {
        return check(rest, path, body, hosts);
      }
      output.open();
      if (isOne) {
        return one(rest, path, body);
      }
      return many(rest, body, hosts);
    }
  }

  private int check(Rest rest, String path, ObjectNode body, List<EnrolPlan> hosts) {
    if (hosts.isEmpty()) {
      var _ = rest.send("POST", path + dryRun.query(), body);
    }
    for (List<EnrolPlan> batch : batches(hosts)) {
      var _ = ask(rest, path + dryRun.query(), body, batch);
    }
    output.checked(dryRun.said("") + "; tokens would be made: " + Math.max(1, hosts.size()));
    return 0;
  }

  private int one(Rest rest, String path, ObjectNode body) {
    try {
      JsonNode made = rest.send("POST", path, body);
      output.show(made, made.path("token").asString(""), said(made, 1));
      return 0;
    } catch (CommandFailed e) {
      output.forget();
      throw e;
    }
  }

  private int many(Rest rest, ObjectNode body, List<EnrolPlan> hosts) {
    ArrayNode made = Rest.JSON.createArrayNode();
    try {
      // All or none within a request; so what is wrong in any is found before the first.
      for (List<EnrolPlan> batch :
          hosts.size() > MOST ? batches(hosts) : List.<List<EnrolPlan>>of()) {
        var _ = ask(rest, "enrolments?validate=true", body, batch);
      }
      for (List<EnrolPlan> batch : batches(hosts)) {
        made.addAll((ArrayNode) ask(rest, "enrolments", body, batch).path("items"));
      }
    } catch (CommandFailed e) {
      if (made.isEmpty()) {
        output.forget();
        throw e;
      }
      output.show(made, lines(made), said(made.get(0), made.size()));
      throw new CommandFailed(
          e.exitCode(),
          "%s; the first %d of %d hosts have a token"
              .formatted(e.getMessage(), made.size(), hosts.size()),
          e);
    }
    output.show(made, lines(made), said(made.path(0), made.size()));
    return 0;
  }

  private static List<List<EnrolPlan>> batches(List<EnrolPlan> hosts) {
    List<List<EnrolPlan>> batches = new ArrayList<>();
    for (int from = 0; from < hosts.size(); from += MOST) {
      batches.add(hosts.subList(from, Math.min(from + MOST, hosts.size())));
    }
    return batches;
  }

  private JsonNode ask(Rest rest, String path, ObjectNode body, List<EnrolPlan> batch) {
    ArrayNode list = body.putArray("hosts");
    batch.forEach(each -> list.add(each.json(zone)));
    try {
      return rest.send("POST", path, body);
    } catch (CommandFailed e) {
      throw new CommandFailed(e.exitCode(), placed(String.valueOf(e.getMessage()), batch), e);
    }
  }

  /// What the server says of its list, said of what the person has written.
  private static String placed(String text, List<EnrolPlan> batch) {
    return POINTER
        .matcher(text)
        .replaceAll(found -> {
          EnrolPlan plan = batch.get(Integer.parseInt(found.group(1)));
          String field = found.group(2) == null ? "" : ", " + found.group(2);
          return Matcher.quoteReplacement(plan.place() + field + ":");
        });
  }

  private List<EnrolPlan> plans() {
    if (csv == null) {
      return EnrolPlan.counted(
          needed(device, "--device"),
          needed(host, "--host"),
          first == null ? 1 : first,
          count == null ? 0 : count,
          labels == null ? Map.of() : labels);
    }
    boolean more = count != null || first != null || labels != null;
    if (more || !device.isEmpty() || !host.isEmpty()) {
      throw CommandFailed.usage("--csv: the file says which hosts; leave out what else says it");
    }
    return EnrolFile.read(csv);
  }

  private static void refuse(boolean wrong, String options) {
    if (wrong) {
      throw CommandFailed.usage(
          options + " are for --count; one host is on a device that is there");
    }
  }

  private static String needed(String value, String name) {
    if (value.isEmpty()) {
      throw CommandFailed.usage("Missing required option: '" + name + "'");
    }
    return value;
  }

  private static String said(JsonNode made, int tokens) {
    return "%d %s, good until %s"
        .formatted(
            tokens,
            tokens == 1 ? "token" : "tokens",
            made.path("expires_at").asString("they are used"));
  }

  static long seconds(String text) {
    try {
      String iso = text.endsWith("d") ? "P" + text : "PT" + text;
      long seconds = Duration.parse(iso).toSeconds();
      if (seconds > 0 && seconds <= MOST_VALID.toSeconds()) {
        return seconds;
      }
    } catch (DateTimeException _) {
      // Said below.
    }
    throw CommandFailed.usage("--valid: expected a duration such as 30m or 1h, 7d at most");
  }

  private static String lines(JsonNode made) {
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
