package dev.uplift.cli.enrolment;

import dev.uplift.cli.keys.RootFolder;
import dev.uplift.cli.option.DryRunOption;
import dev.uplift.cli.option.ServerOptions;
import dev.uplift.cli.option.TokenOutputOptions;
import dev.uplift.cli.option.ValidityParser;
import dev.uplift.cli.rest.CliException;
import dev.uplift.cli.rest.RestClient;
import dev.uplift.protocol.TrustRoot;
import dev.uplift.protocol.enrolment.JoinToken;
import dev.uplift.protocol.json.MalformedMessage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// Creates tokens with which hosts join.
@Command(
    name = "enrol",
    aliases = "enroll",
    sortOptions = false,
    description = {
      "Create tokens with which hosts join the fleet; each is valid once and for a short time.",
      "On the host: `uplift-agent join TOKEN`. With --csv or --count, many at once, as lines"
          + " `device,host,token,expires_at`; missing devices are then created with their hosts."
    })
public final class EnrolmentCommand implements Callable<Integer> {
  private static final int MAX_HOSTS_PER_REQUEST = 1000;
  private static final int MAX_VALID_DAYS = 7;
  private static final Pattern PLACE = Pattern.compile("hosts\\[(\\d+)](?:\\.([^\\s:]+))?:");

  @Mixin private ServerOptions server = new ServerOptions();
  @Mixin private TokenOutputOptions output = new TokenOutputOptions();
  @Mixin private DryRunOption dryRun = new DryRunOption();

  @Option(
      names = "--device",
      paramLabel = "DEVICE",
      defaultValue = "",
      description = "The device; with --count a pattern, in which each # is a digit: shop-####.")
  private String device = "";

  @Option(names = "--host", paramLabel = "HOST", defaultValue = "", description = "The host; with --count a pattern.")
  private String host = "";

  @Option(names = "--count", paramLabel = "N", description = "Number of devices, with one host each.")
  private @Nullable Integer count;

  @Option(names = "--first", paramLabel = "N", description = "With --count: the first number; default: 1.")
  private @Nullable Integer first;

  @Option(
      names = "--label",
      paramLabel = "NAME=VALUE",
      description = "With --count: label of created devices; may be repeated.")
  private @Nullable Map<String, String> labels;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      defaultValue = "",
      description = "With --csv or --count: time zone of created devices; default: UTC.")
  private String zone = "";

  @Option(
      names = "--csv",
      paramLabel = "FILE",
      description = "Lines `device,host[,label=value...]`; labels apply to created devices.")
  private @Nullable Path csv;

  @Option(
      names = "--root",
      paramLabel = "DIR",
      description = {
        "Folder of the tenant's roots, of your own machine: the tokens name its root keys,",
        "and hosts refuse any other root that the server may give."
      })
  private @Nullable Path roots;

  private @Nullable TrustRoot root;

  @Option(
      names = "--valid-for",
      paramLabel = "DURATION",
      defaultValue = "1h",
      description = "Validity, such as 30m, 1h, up to 7d; default: ${DEFAULT-VALUE}.")
  private String validity = "1h";

  @Override
  public Integer call() {
    ObjectNode body =
        RestClient.JSON
            .createObjectNode()
            .put("valid_for_seconds", ValidityParser.parseSeconds(validity, MAX_VALID_DAYS));
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
    root = roots == null ? null : newestRoot(new RootFolder(roots));
    try (RestClient rest = server.connect()) {
      if (dryRun.enabled) {
        return validate(rest, path, body, hosts);
      }
      output.createFile();
      if (isOne) {
        return createOne(rest, path, body);
      }
      return createMany(rest, body, hosts);
    }
  }

  private int validate(RestClient rest, String path, ObjectNode body, List<EnrolmentTarget> hosts) {
    if (hosts.isEmpty()) {
      var _ = rest.send("POST", path + dryRun.query(), body);
    }
    for (List<EnrolmentTarget> batch : batches(hosts)) {
      var _ = post(rest, path + dryRun.query(), body, batch);
    }
    server.output().printLine(dryRun.resultText("") + "; tokens to create: " + Math.max(1, hosts.size()));
    return 0;
  }

  private int createOne(RestClient rest, String path, ObjectNode body) {
    try {
      JsonNode created = withRoot(rest.send("POST", path, body));
      output.printTokens(server.output(), created, created.path("token").asString(""), summary(created, 1));
      return 0;
    } catch (CliException e) {
      output.deleteFile();
      throw e;
    }
  }

  private int createMany(RestClient rest, ObjectNode body, List<EnrolmentTarget> hosts) {
    ArrayNode created = RestClient.JSON.createArrayNode();
    try {
      // Each request is all or nothing; so errors in any batch are found before the first.
      for (List<EnrolmentTarget> batch :
          hosts.size() > MAX_HOSTS_PER_REQUEST ? batches(hosts) : List.<List<EnrolmentTarget>>of()) {
        var _ = post(rest, "enrolments?validate=true", body, batch);
      }
      for (List<EnrolmentTarget> batch : batches(hosts)) {
        for (JsonNode each : post(rest, "enrolments", body, batch).path("items")) {
          created.add(withRoot(each));
        }
      }
    } catch (CliException e) {
      if (created.isEmpty()) {
        output.deleteFile();
        throw e;
      }
      output.printTokens(server.output(), created, toCsv(created), summary(created.get(0), created.size()));
      throw new CliException(
          e.exitCode(),
          "%s; the first %d of %d hosts have a token".formatted(e.getMessage(), created.size(), hosts.size()),
          e);
    }
    output.printTokens(server.output(), created, toCsv(created), summary(created.path(0), created.size()));
    return 0;
  }

  /// Puts the root that this machine knows into a token: the server has no say in it.
  private JsonNode withRoot(JsonNode created) {
    if (root == null) {
      return created;
    }
    try {
      JoinToken token = JoinToken.decode(created.path("token").asString("")).withRoot(root);
      return ((ObjectNode) created).put("token", token.encode());
    } catch (MalformedMessage e) {
      throw CliException.usageError("--root: " + e.getMessage());
    }
  }

  private static TrustRoot newestRoot(RootFolder folder) {
    long newest = folder.newestVersion();
    String missing = folder.missingSignatures(newest);
    if (!missing.isEmpty()) {
      throw CliException.usageError("--root: root %d is not valid: %s".formatted(newest, missing));
    }
    return folder.root(newest);
  }

  private static List<List<EnrolmentTarget>> batches(List<EnrolmentTarget> hosts) {
    List<List<EnrolmentTarget>> batches = new ArrayList<>();
    for (int from = 0; from < hosts.size(); from += MAX_HOSTS_PER_REQUEST) {
      batches.add(hosts.subList(from, Math.min(from + MAX_HOSTS_PER_REQUEST, hosts.size())));
    }
    return batches;
  }

  private JsonNode post(RestClient rest, String path, ObjectNode body, List<EnrolmentTarget> batch) {
    ArrayNode list = body.putArray("hosts");
    batch.forEach(each -> list.add(each.toJson(zone)));
    try {
      return rest.send("POST", path, body);
    } catch (CliException e) {
      throw new CliException(e.exitCode(), withSource(String.valueOf(e.getMessage()), batch), e);
    }
  }

  /// Replaces JSON pointers into the request by the places in the input.
  private static String withSource(String text, List<EnrolmentTarget> batch) {
    return PLACE
        .matcher(text)
        .replaceAll(match -> {
          EnrolmentTarget plan = batch.get(Integer.parseInt(match.group(1)) - 1);
          String field = match.group(2) == null ? "" : ", " + match.group(2);
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
    boolean others = count != null || first != null || labels != null;
    if (others || !device.isEmpty() || !host.isEmpty()) {
      throw CliException.usageError("--csv: the file names the hosts; omit other options that do");
    }
    return EnrolmentCsv.read(csv);
  }

  private static void rejectIf(boolean wrong, String options) {
    if (wrong) {
      throw CliException.usageError(options + " need --count; a single host needs an existing device");
    }
  }

  private static String required(String value, String name) {
    if (value.isEmpty()) {
      throw CliException.usageError("Missing required option: '" + name + "'");
    }
    return value;
  }

  private static String summary(JsonNode created, int tokens) {
    return "%d %s, valid until %s"
        .formatted(tokens, tokens == 1 ? "token" : "tokens", created.path("expires_at").asString("they are used"));
  }

  private static String toCsv(JsonNode created) {
    StringBuilder text = new StringBuilder("device,host,token,expires_at");
    for (JsonNode each : created) {
      String line =
          Stream.of("device", "host", "token", "expires_at")
              .map(field -> each.path(field).asString(""))
              .collect(Collectors.joining(","));
      text.append('\n').append(line);
    }
    return text.toString();
  }
}
