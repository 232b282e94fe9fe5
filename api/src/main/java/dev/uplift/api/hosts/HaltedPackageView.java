package dev.uplift.api.hosts;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.uplift.protocol.AgentInfo;
import dev.uplift.protocol.json.MalformedMessage;
import dev.uplift.store.device.HostInfo;
import io.micronaut.serde.annotation.Serdeable;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// A package that a barrier has halted on a host, as the host last reported.
///
/// @param until when the host resumes by itself
@Serdeable
record HaltedPackageView(@JsonProperty("package") String packageName, String barrier, Instant until) {
  static List<HaltedPackageView> of(Optional<HostInfo> info) {
    return info.flatMap(HaltedPackageView::read)
        .flatMap(AgentInfo::halts)
        .map(halts ->
            halts.entrySet().stream()
                .map(each -> new HaltedPackageView(each.getKey(), each.getValue().barrier(), each.getValue().until()))
                .toList())
        .orElse(List.of());
  }

  private static Optional<AgentInfo> read(HostInfo info) {
    try {
      return Optional.of(AgentInfo.read(info.text().getBytes(UTF_8)));
    } catch (MalformedMessage _) {
      // Accepted by another version of the server, which could read it.
      return Optional.empty();
    }
  }
}
