package dev.uplift.cli.policy;

import dev.uplift.cli.file.UserFile;
import dev.uplift.cli.option.DeviceSelectionOptions;
import dev.uplift.cli.option.RequestFields;
import dev.uplift.cli.rest.RestClient;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import tools.jackson.databind.node.ObjectNode;

/// What a policy asks for: in a file, in options, or in both; options replace what the file says.
final class PolicyOptions {
  private static final List<String> TARGETS = List.of("version", "at_least", "channel", "offered");

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "The policy as a JSON object, in the format of the REST API.")
  @Nullable Path policy;

  @Option(names = "--title", paramLabel = "TEXT")
  @Nullable String title;

  @Option(names = "--description", paramLabel = "TEXT", description = "What it is for; may have several lines.")
  @Nullable String description;

  @Option(names = "--package", paramLabel = "NAME")
  @Nullable String name;

  @Option(names = "--version", paramLabel = "VERSION", description = "Ask for exactly this version.")
  @Nullable String version;

  @Option(
      names = "--at-least",
      paramLabel = "VERSION",
      description = "Ask for this version or a newer one; what is older gets this one.")
  @Nullable String atLeast;

  @Option(
      names = "--channel",
      paramLabel = "NAME",
      description = "Ask for the release that this channel of the package points at.")
  @Nullable String channel;

  @Option(
      names = "--offered",
      description = "Ask for what the repositories of each host offer; the newest release brings it.")
  boolean offered;

  @Mixin DeviceSelectionOptions devices = new DeviceSelectionOptions();

  @Option(names = "--fallback", description = "Only for devices that no other policy for the package applies to.")
  boolean fallback;

  @Option(names = "--priority", paramLabel = "N", description = "Of two policies for a device the higher one decides.")
  @Nullable Integer priority;

  @Option(names = "--start-at", paramLabel = "TIME", description = "Begin at this time, such as 2026-12-24T18:00:00Z.")
  @Nullable String startAt;

  @Option(
      names = "--spread-over",
      paramLabel = "SECONDS",
      description = "Each device begins at its own point of this span.")
  @Nullable Long spreadOver;

  @Option(names = "--each-window", description = "Begin with a device only when its maintenance window is open.")
  boolean eachWindow;

  @Option(
      names = "--cron",
      paramLabel = "LINE",
      description = "Begin in runs at these times, such as '0 22 * * 6' for Saturdays at 22:00.")
  @Nullable String cron;

  @Option(
      names = "--cron-zone",
      paramLabel = "ZONE",
      description = "IANA time zone of --cron, such as Europe/Berlin; default: UTC.")
  @Nullable String cronZone;

  @Option(
      names = "--unknown-version",
      paramLabel = "ACTION",
      description = "A device whose version was never published: leave (the default) or upgrade.")
  @Nullable String unknownVersion;

  @Option(
      names = "--rollout",
      paramLabel = "FILE",
      description =
          "How its rollouts are done (waves, limits, windows), as a JSON object in the format of the REST API.")
  @Nullable Path rollout;

  ObjectNode toJson() {
    ObjectNode body = policy == null ? RestClient.JSON.createObjectNode() : UserFile.readObject(policy);
    RequestFields fields =
        new RequestFields(body)
            .put("title", title)
            .put("description", description)
            .put("package", name)
            .put("fallback", fallback)
            .put("priority", priority)
            .put("start_at", startAt)
            .put("spread_over_seconds", spreadOver)
            .put("each_window", eachWindow)
            .put("cron", cron)
            .put("cron_zone", cronZone)
            .put("unknown_version", unknownVersion)
            .put("rollout", rollout == null ? null : UserFile.readObject(rollout));
    devices.addTo(fields);
    if (hasTarget()) {
      // Another target replaces that of the file.
      body.remove("target");
      fields.put("target", "version", version).put("target", "at_least", atLeast).put("target", "channel", channel);
      fields.put("target", "offered", offered ? true : null);
    }
    return fields.json();
  }

  /// As a change of a policy: another target takes the place of the one that the policy has, whichever kind that is.
  ObjectNode toPatch() {
    ObjectNode body = toJson();
    if (hasTarget()) {
      ObjectNode target = body.withObjectProperty("target");
      TARGETS.stream().filter(kind -> !target.has(kind)).forEach(target::putNull);
    }
    return body;
  }

  private boolean hasTarget() {
    return version != null || atLeast != null || channel != null || offered;
  }
}
